import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { catalogues } from './build-ui/catalogues.ts'

const seconds = 1000

// Most tests start worker threads, which load the sources again. Without a cache that took a third of a listing's time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compiled-tests')

/**
 * One project per folder of tests/; bin/test decides which of them "npm test" runs. Projects of one group run in parallel,
 * groups one after another.
 */
const project = (name: string, group: number, timeout: number, maxWorkers: number, more: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    testTimeout: timeout,
    hookTimeout: timeout,
    maxWorkers,
    sequence: { groupOrder: group },
    ...more,
  },
})

/** Runs test files in one process, because loading the sources for each file took longer than most tests. */
const SHARED_PROCESS = { isolate: false }

/** Three at a time: each waits a third of its time for frames and timers of the page. */
const BROWSER = {
  ...SHARED_PROCESS,
  retry: process.env['CI'] === undefined ? 0 : 1,
}

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Forks, not threads: tests change the umask, the working directory and their environment, and load native modules.
    pool: 'forks',
    setupFiles: ['tests/helpers/equal-bytes.ts'],
    unstubEnvs: true,
    restoreMocks: true,
    // Generous, because a busy machine is slow; a condition that never holds still fails.
    expect: { poll: { timeout: 30 * seconds } },
    projects: [
      project('unit', 0, 60 * seconds, 2, SHARED_PROCESS),
      project('contract', 0, 60 * seconds, 2),
      project('api', 0, 60 * seconds, 2, SHARED_PROCESS),
      // The page in jsdom, with texts compiled as in the build.
      {
        ...project('component', 0, 60 * seconds, 2, { setupFiles: ['tests/helpers/component/document.ts'] }),
        plugins: [catalogues()],
      },
      project('cli', 1, 180 * seconds, 2, SHARED_PROCESS),
      project('package', 1, 600 * seconds, 2, SHARED_PROCESS),
      // Against servers that "npm test" does not need, such as one for S3.
      project('cluster', 5, 180 * seconds, 1),
      project('stress', 1, 600 * seconds, 2, SHARED_PROCESS),
      // Their measurements need the processors to themselves.
      project('load', 2, 600 * seconds, 1),
      project('journeys', 3, 300 * seconds, 3, BROWSER),
      project('browser', 3, 300 * seconds, 3, BROWSER),
      // What the linters refuse; part of "npm run check".
      project('lint', 4, 60 * seconds, 2),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/{domain,store,storage,services}/**/*.ts'],
      // Runs in worker threads, where coverage is not measured; the contract tests cover it.
      exclude: ['src/storage/local/worker/**'],
      thresholds: { 'src/domain/**': { lines: 95 }, 'src/services/**': { lines: 90 } },
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
    },
  },
})
