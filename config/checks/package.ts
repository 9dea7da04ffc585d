/** Checks the npm package with publint. Prints problems and exits with 1 if there are any. */
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Files for browsers: index.html decides which of them are modules, not package.json. */
const PAGE_FOLDER = '/dist/ui/'

const { messages, pkg } = await publint({ pkgDir: join(import.meta.dirname, '../..'), strict: true })
const problems = messages.filter(
  (message) => message.code !== 'FILE_INVALID_FORMAT' || message.args.actualFilePath?.startsWith(PAGE_FOLDER) !== true,
)
for (const problem of problems) console.log(formatMessage(problem, pkg))
process.exitCode = problems.length === 0 ? 0 : 1
