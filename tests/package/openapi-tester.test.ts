import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'

const run = promisify(execFile)
const VERSION = '4.32.5'
/** A Python environment of its own, installed once for each version. */
const PLACE = join(import.meta.dirname, `../../node_modules/.cache/schemathesis-${VERSION}`)
const TESTER = join(PLACE, 'bin/schemathesis')

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

async function install(): Promise<void> {
  if (existsSync(TESTER)) return
  await run('python3', ['-m', 'venv', '--clear', PLACE])
  await run(join(PLACE, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`])
}

it('Schemathesis, a public OpenAPI tester, finds no call that differs from its description', async () => {
  await install()
  await using daemon = await startTestDaemon({
    files: { 'docs/report.txt': 'report', 'docs/holiday.jpg': 'found by the example of a search' },
  })
  const line = [
    ...[
      'run',
      `${daemon.url}api/openapi.json`,
      '--url',
      daemon.url.slice(0, -1),
      '--header',
      `X-Auth: ${daemon.token}`,
    ],
    ...['--phases', 'examples', '--checks', CHECKS.join(','), '--request-timeout', '20', '--seed', '1', '--no-color'],
    // This call would sign the tester out.
    ...['--exclude-operation-id', 'auth.logout'],
  ]
  const env = { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis-hooks.py') }
  const { code, stdout } = await run(TESTER, line, { env, cwd: PLACE }).then(
    (printed) => ({ code: 0, stdout: printed.stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  )
  expect({ code, stdout }).toMatchObject({ code: 0 })
  const tested = Number(/Tested: (\d+)/.exec(stdout)?.[1])
  expect(tested, stdout).toBeGreaterThan(50)
})
