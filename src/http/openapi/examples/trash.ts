import { JOB, JOB_REPLY, PREFER } from './files.ts'
import type { Examples } from './operation-example.ts'

const ITEM = {
  id: 'T2sQb1xWmZ0cYk7v',
  path: '/docs/old.txt',
  name: 'old.txt',
  isDir: false,
  size: 14,
  deleted: '2026-03-01T09:30:00Z',
  expires: '2026-03-31T09:30:00Z',
} as const

export const TRASH_EXAMPLES: Examples = {
  'trash.list': { replies: { 200: { value: [ITEM] } } },
  'trash.restore': {
    params: { id: ITEM.id },
    headers: { Prefer: PREFER },
    replies: {
      200: { description: 'The restored path', value: { path: '/docs/old(1).txt' } },
      202: { ...JOB_REPLY, value: { ...JOB, kind: 'move', path: '/docs', destination: '/docs(1)' } },
    },
  },
  'trash.changeMany': {
    description:
      'Each item is judged and changed by itself, as by a request of its own, several at the same time. A folder that cannot be ' +
      'restored at once becomes a job, which is in the entry of the reply. After two seconds, and when there are too many jobs, the ' +
      'error of the rest is `BUSY`: send them again.',
    body: { action: 'restore', ids: [ITEM.id, 'x9Zr0bVq3LmN7aTe'] },
    replies: {
      200: {
        value: [
          { id: ITEM.id, path: '/docs/old(1).txt' },
          { id: 'x9Zr0bVq3LmN7aTe', error: { code: 'NOT_FOUND', message: 'nothing in the trash has this id' } },
        ],
      },
    },
  },
  'trash.remove': { params: { id: ITEM.id } },
  'trash.empty': {},
}
