import { performance } from 'node:perf_hooks'
import { exitCode, startTool, type CommandLine } from './run-tool.ts'

interface Step {
  readonly name: string
  readonly run: CommandLine
  /** Finds a problem in the output although the step succeeded. */
  readonly findProblem?: (output: string) => string | undefined
}

/** With fewer modules, the layer linter is misconfigured: it reports "no violations" when it sees nothing. */
const MIN_MODULES = 100

/** Slow steps first, because two run at a time. */
const STEPS: readonly Step[] = [
  { name: 'types, lint of tests', run: typesAndLintOf('tests') },
  { name: 'build', run: ['node', 'tools/build.ts'] },
  { name: 'types, lint of page', run: typesAndLintOf('page') },
  { name: 'types, lint of server', run: typesAndLintOf('server') },
  { name: 'unused code', run: ['knip', '-c', 'config/lint/knip.json', '--no-progress'] },
  {
    name: 'layers',
    run: ['depcruise', '--config', 'config/lint/dependency-cruiser.ts', 'src', 'ui/src'],
    findProblem: tooFewModules,
  },
  { name: 'lint rules', run: ['vitest', 'run', '--config', 'config/vitest.config.ts', '--project', 'lint'] },
  {
    name: 'format',
    // The reference is generated, so it is not formatted.
    run: [
      'prettier',
      '--config',
      'config/lint/prettier.json',
      '--log-level',
      'warn',
      '--check',
      '.',
      '!docs/reference/**',
    ],
  },
  { name: 'generated reference', run: ['node', 'tools/generate.ts', '--check'] },
  { name: 'house rules', run: ['node', 'tools/checks/house-rules.ts'] },
  { name: 'licences', run: ['node', 'tools/checks/licences.ts'] },
]

/** Need the output of the step "build". */
const STEPS_AFTER_BUILD: readonly Step[] = [
  { name: 'bundle budget', run: ['node', 'tools/checks/bundle-budget.ts'] },
  { name: 'package', run: ['node', 'tools/checks/package.ts'] },
]

const failures = [...(await runAll(STEPS)), ...(await runAll(STEPS_AFTER_BUILD))].filter((passed) => !passed).length
console.log(`${STEPS.length + STEPS_AFTER_BUILD.length - failures} passed, ${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

/** Runs two steps at a time, in order. Prints one line for each, and its output only if it failed. */
async function runAll(steps: readonly Step[]): Promise<boolean[]> {
  const results: boolean[] = []
  const waiting = [...steps.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await runStep(next[1])
  }
  await Promise.all([worker(), worker()])
  return results
}

async function runStep({ name, run, findProblem }: Step): Promise<boolean> {
  const started = performance.now()
  const { code, output } = await outputOf(run)
  const problem = code === 0 ? findProblem?.(output) : output
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${problem === undefined ? '✓' : '✗'} ${name.padEnd(22)}${seconds.padStart(6)} s`)
  if (problem !== undefined) console.log(problem.trimEnd().replaceAll(/^/gm, '    '))
  return problem === undefined
}

async function outputOf(run: CommandLine): Promise<{ code: number; output: string }> {
  const child = startTool(run, { stdio: ['ignore', 'pipe', 'pipe'], env: { NO_COLOR: '1' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
  return { code: await exitCode(child), output }
}

function typesAndLintOf(part: string): CommandLine {
  return ['node', 'tools/checks/types-and-lint.ts', part]
}

function tooFewModules(output: string): string | undefined {
  const seen = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0)
  return seen > MIN_MODULES ? undefined : `saw only ${seen} modules, expected more than ${MIN_MODULES}`
}
