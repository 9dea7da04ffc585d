import type { Examples } from './operation-example.ts'

const HOOK = {
  id: '3fa94c01',
  event: 'after_upload',
  line: '/usr/local/bin/notify --quiet $FILE',
  enabled: true,
  waits: true,
  timeout: 60,
  outputLimit: 1_048_576,
  onFailure: 'refuse',
} as const

export const HOOK_EXAMPLES: Examples = {
  'hooks.list': { replies: { 200: { value: { running: true, hooks: [HOOK] } } } },
  'hooks.add': {
    body: { event: HOOK.event, line: HOOK.line },
    replies: { 200: { value: HOOK } },
  },
  'hooks.change': {
    params: { id: HOOK.id },
    body: { enabled: false, timeout: 10, place: 0 },
    replies: { 200: { value: { ...HOOK, enabled: false, timeout: 10 } } },
  },
  'hooks.remove': { params: { id: HOOK.id } },
  'hooks.test': {
    params: { id: HOOK.id },
    replies: { 200: { value: { exitCode: 0, ended: 'by itself', stdout: 'notified\n', stderr: '' } } },
  },
}
