/** What npm would deliver, looked at as its users' tools do. Prints what is wrong; exits with 1 then. */
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** The page's files are for browsers: which of them are modules is said by the page, not by the package. */
const OF_THE_PAGE = '/dist/ui/'

const { messages, pkg } = await publint({ pkgDir: join(import.meta.dirname, '../..'), strict: true })
const problems = messages.filter(
  (message) => message.code !== 'FILE_INVALID_FORMAT' || message.args.actualFilePath?.startsWith(OF_THE_PAGE) !== true,
)
for (const problem of problems) console.log(formatMessage(problem, pkg))
process.exitCode = problems.length === 0 ? 0 : 1
