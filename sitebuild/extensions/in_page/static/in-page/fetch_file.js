// Fetch a file of the book.  Throws an error with a readable message.

export async function fetchFile(url, options, fetch = self.fetch) {
  const response = await fetch(url, options).catch(() => null);
  if (response?.ok) return response;
  const name = new URL(url, location).pathname.split("/").pop();
  if (response) throw new Error(`${name} is missing (${response.status}).`);
  throw new Error(`${name} could not be fetched. Check the network and run it again.`);
}
