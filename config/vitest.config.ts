import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { catalogues } from './build-ui/catalogues.ts'

const seconds = 1000

// Most tests start worker threads, which read the sources anew: a third of the time of a listing was spent on that.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/compiled-tests')

/**
 * One project per folder of tests/; bin/test says which of them "npm test" runs. Projects of one group run side by side;
 * the groups run one after the other, so that neither stress tests nor browsers share the processors with anything else.
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

/** Files of these follow one another in one process: loading the sources anew for each took longer than most of the tests. */
const TOGETHER = { isolate: false }

const BROWSER = {
  globalSetup: ['tests/helpers/browser/chromium-setup.ts'],
  retry: process.env['CI'] === undefined ? 0 : 1,
}

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    // Forks, not threads: tests change the umask, the working directory and their environment, and load native modules.
    pool: 'forks',
    unstubEnvs: true,
    restoreMocks: true,
    // What is waited for comes late on a busy machine; a test that would wait in vain fails all the same.
    expect: { poll: { timeout: 30 * seconds } },
    projects: [
      project('unit', 0, 60 * seconds, 2, TOGETHER),
      project('contract', 0, 60 * seconds, 2),
      project('api', 0, 60 * seconds, 2, TOGETHER),
      // The page in jsdom: its texts are compiled as in the build.
      {
        ...project('component', 0, 60 * seconds, 2, { setupFiles: ['tests/helpers/component/document.ts'] }),
        plugins: [catalogues()],
      },
      project('cli', 1, 180 * seconds, 2),
      project('stress', 2, 600 * seconds, 1),
      project('journeys', 3, 300 * seconds, 2, BROWSER),
      project('browser', 3, 300 * seconds, 2, BROWSER),
      // What the linters refuse: part of "npm run check".
      project('lint', 4, 60 * seconds, 2),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/{domain,store,storage,services}/**/*.ts'],
      // Runs in worker threads, which the measurement does not see; the contract suites demand what it does.
      exclude: ['src/storage/local/worker/**'],
      thresholds: { 'src/domain/**': { lines: 95 }, 'src/services/**': { lines: 90 } },
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
    },
  },
})
