// Fetch a file of the book.  Throws an error with a readable message.

export async function get(url, options, fetch = self.fetch) {
  const answer = await fetch(url, options).catch(() => null);
  if (answer?.ok) return answer;
  const name = new URL(url, location).pathname.split("/").pop();
  if (answer) throw new Error(`${name} is missing (${answer.status}).`);
  throw new Error(`${name} could not be fetched. Is there a network? Then run it again.`);
}
