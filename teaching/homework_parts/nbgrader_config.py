from nbgrader import preprocessors as p

from halfspaces.homework.nbgrader import Deduplicate, Grader

c = get_config()  # noqa: F821
c.Grader.key = "key.json"
c.ClearSolutions.code_stub = {"python": "# Your answer stands above this line."}
c.CourseDirectory.course_id = "halfspaces"
c.Autograde.sanitize_preprocessors = [p.ClearOutput, Deduplicate, p.OverwriteKernelspec]
c.Autograde.sanitize_preprocessors += [p.OverwriteCells, p.CheckCellMetadata]
c.Autograde.autograde_preprocessors = [Grader, p.Execute, p.LimitOutput, p.SaveAutoGrades]
c.Autograde.autograde_preprocessors += [p.AssignLatePenalties, p.CheckCellMetadata]
