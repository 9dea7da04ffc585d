/**
 * `node tools/checks/types-and-lint.ts server|page|tests`: runs the compiler and the linter on one part of the
 * repository. They share one TypeScript program, so that types are computed once.
 */
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'

const repository = join(import.meta.dirname, '../..')

const PARTS: Readonly<Record<string, { project: string; folders: string[] }>> = {
  server: { project: 'config/tsconfig/server.json', folders: ['src'] },
  page: { project: 'config/tsconfig/ui.json', folders: ['ui'] },
  tests: { project: 'config/tsconfig/tests.json', folders: ['tests', 'tools', 'config'] },
}

const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => repository,
  getNewLine: () => '\n',
}

const part = PARTS[process.argv[2] ?? '']
if (part === undefined) throw new Error(`expected one of: ${Object.keys(PARTS).join(', ')}`)
const program = programOf(join(repository, part.project))
const problems = [ts.formatDiagnostics(typeErrors(), host), await lintErrors(part.folders)].join('')
process.stdout.write(problems)
process.exitCode = problems === '' ? 0 : 1

function programOf(project: string): ts.Program {
  const refuse = (error: ts.Diagnostic) => {
    throw new Error(ts.formatDiagnostic(error, host))
  }
  const parsed = ts.getParsedCommandLineOfConfigFile(
    project,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: refuse,
    },
  )
  parsed?.errors.forEach(refuse)
  if (parsed === undefined) throw new Error(`cannot read ${project}`)
  return ts.createProgram({ rootNames: parsed.fileNames, options: parsed.options })
}

/** Of the files that the project includes. What else they import, another part includes. */
function typeErrors(): ts.Diagnostic[] {
  const included = new Set(program.getRootFileNames())
  const own = program.getSourceFiles().filter(({ fileName }) => included.has(fileName))
  const all = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  return [...ts.sortAndDeduplicateDiagnostics(all)]
}

/** Warnings count as errors. */
async function lintErrors(folders: string[]): Promise<string> {
  const linter = new ESLint({
    cwd: repository,
    overrideConfigFile: 'config/lint/eslint.config.js',
    overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { programs: [program] } } },
  })
  const formatter = await linter.loadFormatter()
  return await formatter.format(await linter.lintFiles(folders))
}
