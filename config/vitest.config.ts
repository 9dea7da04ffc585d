import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isBuilt } from '../tests/helpers/cli/program.ts'
import { catalogues } from '../tools/build-ui/catalogues.ts'

/** Limits are for what hangs, never for speed: these hold on a machine with twenty times the work. */
const TEST_LIMIT = 15 * 60 * 1000
const POLL_LIMIT = 5 * 60 * 1000

const root = join(import.meta.dirname, '..')

/**
 * Runs worker threads from the bundle, if the build is up to date: nearly every test with files starts one, and from many modules
 * that takes four times as long. From source, each thread strips the types of all its modules with Node's WebAssembly module, and
 * V8 13 crashes in about one of 300 threads that do so side by side (nodejs/node#64500).
 */
function bundledWorkers(): Plugin {
  const bundle = pathToFileURL(join(root, 'dist/bundle')).href
  return {
    name: 'filemgr:bundled-workers',
    enforce: 'pre',
    transform(code) {
      if (!code.includes('workerUrl(')) return undefined
      return code.replaceAll(
        /workerUrl\('[./a-z-]*?([a-z-]+-worker)', import\.meta\.url\)/g,
        (_, worker: string) => `new URL('${bundle}/${worker}.cjs')`,
      )
    },
  }
}

/**
 * One project per folder of tests/; tools/test decides which of them "npm test" runs. Projects of one group run in parallel,
 * groups one after another.
 */
const project = (name: string, group: number, maxWorkers: number, more: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    testTimeout: TEST_LIMIT,
    hookTimeout: TEST_LIMIT,
    maxWorkers,
    sequence: { groupOrder: group },
    ...more,
  },
})

/** Runs test files in one process, because loading the sources for each file took longer than most tests. */
const SHARED_PROCESS = { isolate: false }

/** Three on two processors: each waits a third of its time, for disks, timers, other processes and frames of the page. */
const WORKERS = 3

/** The longest tests of a group, many of them in its smallest files, which would come last. */
const LONG = new RegExp(
  [
    'browser/(accessibility|accounts/provider|settings/both-ways)',
    'cluster/(contract|durable-jobs|effects|failover|balanced/sick)',
    'package/(openapi-tester|standalone)',
    'stress/jobs-killed',
    'system/documentation',
    'unit/storage/device-gates',
  ]
    .map((name) => `/tests/${name}`)
    .join('|'),
)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const others = ({ moduleId }: TestSpecification) => Number(!LONG.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => group(a) - group(b) || others(a) - others(b))
  }
}

/** For tests that are not about disks. Making a file in memory takes a tenth of the time, and is as fast after many were deleted. */
const IN_MEMORY = hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}

/** Whether there are two gigabytes in memory. A container may have only some megabytes. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 31
}

/** Hashing a password takes a tenth of a second of processor time. Only the tests of the hasher need the real cost. */
const CHEAP_HASHES = { setupFiles: ['tests/helpers/cheap-hashes.ts'] }
const BROWSER = { ...SHARED_PROCESS, ...CHEAP_HASHES }

export default defineConfig({
  root,
  plugins: isBuilt() ? [bundledWorkers()] : [],
  test: {
    // Forks, not threads: tests change the umask, the working directory and their environment, and load native modules.
    pool: 'forks',
    setupFiles: ['tests/helpers/equal-bytes.ts'],
    sequence: { sequencer: LongestFirst },
    unstubEnvs: true,
    restoreMocks: true,
    expect: { poll: { timeout: POLL_LIMIT } },
    projects: [
      project('unit', 0, WORKERS, SHARED_PROCESS),
      project('contract', 0, WORKERS),
      project('api', 0, WORKERS, { ...SHARED_PROCESS, env: IN_MEMORY }),
      // The page in jsdom, with texts compiled as in the build. A failure prints the start of the page, not all of it.
      {
        ...project('component', 0, WORKERS, {
          setupFiles: ['tests/helpers/component/document.ts'],
          env: { ...IN_MEMORY, DEBUG_PRINT_LIMIT: '2000' },
        }),
        plugins: [catalogues()],
      },
      project('cli', 0, WORKERS, { ...SHARED_PROCESS, ...CHEAP_HASHES, env: IN_MEMORY }),
      // What needs root, or programs that not every system has.
      project('system', 0, WORKERS, CHEAP_HASHES),
      project('package', 0, WORKERS, SHARED_PROCESS),
      // Against servers that "npm test" does not need, such as one for S3.
      project('cluster', 4, WORKERS, { globalSetup: ['tests/helpers/postgres.ts'], env: IN_MEMORY }),
      project('stress', 0, WORKERS, SHARED_PROCESS),
      // Their measurements need the processors to themselves.
      project('load', 1, 1, { env: IN_MEMORY }),
      project('journeys', 2, WORKERS, BROWSER),
      project('browser', 2, WORKERS, BROWSER),
      // What the linters refuse; part of "npm run check".
      project('lint', 3, 2),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/{domain,services}/**/*.ts'],
      thresholds: { 'src/domain/**': { lines: 95 }, 'src/services/**': { lines: 90 } },
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
    },
  },
})
