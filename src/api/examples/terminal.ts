import type { Examples } from './operation-example.ts'

export const TERMINAL_EXAMPLES: Examples = {
  'terminal.open': {
    params: { '*': 'docs/' },
    replies: { 101: { description: 'The connection speaks WebSocket from here on' } },
  },
}
