/** Rules that no linter covers, checked on the text of all files that git tracks. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { physicalDirections } from './css-direction.ts'

const root = join(import.meta.dirname, '../..')
const MAX_LINES = 400

type LineRule = (line: string, file: string) => string | undefined

const tracked = gitFiles('ls-files')
const pageNames = new Set(tracked.filter((file) => file.endsWith('.md')).map((file) => basename(file)))

const LINE_RULES: readonly LineRule[] = [
  (line) => found(line, /\bregistry\.[a-z]+\.[a-z]+\b/, 'names a package registry'),
  (line, file) =>
    file === 'package-lock.json' ? found(line, /"resolved":/, 'ties the lock to a registry') : undefined,
  (line) => (line.includes(`${root}/`) ? 'contains a path of this machine' : undefined),
  (line) => found(line, /^(<{7}|>{7}) /, 'is a merge conflict marker'),
  (line, file) => (isCode(file) ? found(line, /\b(TO[D]O|FIX[M]E|X{3}|HA[C]K)\b/, 'is a to-do comment') : undefined),
  (line, file) =>
    isCode(file)
      ? found(line, /(eslint-disable|@ts-(ignore|expect-error|nocheck))(?!.*( -- |: ))/, 'gives no reason')
      : undefined,
  (line, file) => (file === 'package-lock.json' ? undefined : missingPage(line)),
]

const problems = tracked.flatMap((file) => {
  if (!isText(file) || !existsSync(join(root, file))) return []
  const text = readFileSync(join(root, file), 'utf8')
  return [...problemsOfName(file), ...problemsOfSize(file, text), ...problemsOfLines(file, text)]
})

for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function problemsOfName(file: string): string[] {
  if (!/^(src|ui|tests|tools|config)\//.test(file) || !isCode(file)) return []
  return /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(basename(file)) ? [] : [`${file}: name is not kebab-case`]
}

function problemsOfSize(file: string, text: string): string[] {
  const lines = text.split('\n').length - 1
  return isCode(file) && lines > MAX_LINES ? [`${file}: has ${lines} lines, the maximum is ${MAX_LINES}`] : []
}

function problemsOfLines(file: string, text: string): string[] {
  const ofLines = text.split('\n').flatMap((line, index) =>
    LINE_RULES.flatMap((rule) => {
      const problem = rule(line, file)
      return problem === undefined ? [] : [`${file}:${index + 1}: ${problem}: ${line.trim().slice(0, 100)}`]
    }),
  )
  const ofStyle = extname(file) === '.css' ? physicalDirections(text).map((problem) => `${file}:${problem}`) : []
  return [...ofLines, ...ofStyle]
}

/** A Markdown page that is mentioned must be in the repository: readers cannot open any other. */
function missingPage(line: string): string | undefined {
  const missing = line.match(/(?<![\w*{}<>/])[\w./-]+\.md\b/g)?.find((name) => !pageNames.has(basename(name)))
  return missing === undefined ? undefined : `mentions ${missing}, which is not in the repository`
}

function found(line: string, pattern: RegExp, problem: string): string | undefined {
  return pattern.test(line) ? problem : undefined
}

function isCode(file: string): boolean {
  return /\.(ts|tsx|js|cjs|css|html|sh)$/.test(file) && file !== 'tools/checks/house-rules.ts'
}

function isText(file: string): boolean {
  return /\.(ts|tsx|js|cjs|css|html|json|md|yml|yaml|svg|sh|service)$/.test(file) || /(^|\/)[^.]+$/.test(file)
}

function gitFiles(...args: string[]): string[] {
  return execFileSync('git', [...args, '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
}
