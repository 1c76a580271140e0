from nbgrader import preprocessors as p

from halfspaces.homework.nbgrader import Grader, RestoreMetadata

c = get_config()  # noqa: F821
c.Grader.key = "key.json"
c.ClearSolutions.code_stub = {"python": "# Your answer is above this line."}
c.CourseDirectory.course_id = "halfspaces"
c.Autograde.sanitize_preprocessors = [p.ClearOutput, RestoreMetadata]
c.Autograde.sanitize_preprocessors += [p.OverwriteKernelspec, p.OverwriteCells]
c.Autograde.sanitize_preprocessors += [p.CheckCellMetadata]
c.Autograde.autograde_preprocessors = [Grader, p.Execute, p.LimitOutput, p.SaveAutoGrades]
c.Autograde.autograde_preprocessors += [p.AssignLatePenalties, p.CheckCellMetadata]
