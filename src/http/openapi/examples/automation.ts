import { JOB } from './files.ts'
import type { Examples } from './operation-example.ts'

export const AUTOMATION_EXAMPLES: Examples = {
  'jobs.list': { query: { all: false }, replies: { 200: { value: [JOB] } } },
  'jobs.get': { params: { id: JOB.id }, replies: { 200: { value: JOB } } },
  'jobs.cancel': { params: { id: JOB.id } },
  'notices.list': {
    description:
      'Derived from your links, jobs and quota at the moment of the request. The events `shares`, `users` and `job` tell when to ' +
      'ask again. With an API token, only what the token reaches.',
    replies: {
      200: {
        value: [
          {
            kind: 'arrivals',
            isNew: true,
            at: 1_772_360_000_000,
            hash: 'Yk7vT2sQb1xWmZ0c',
            path: '/docs',
            userID: 2,
            isDir: true,
            files: 1,
            name: 'report.pdf',
            from: 'Bob',
          },
        ],
      },
    },
  },
  'notices.see': { body: { until: 1_772_360_000_000 } },
}
