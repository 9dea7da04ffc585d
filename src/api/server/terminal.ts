import { operation } from '../operation.ts'

export const openTerminal = operation({
  id: 'terminal.open',
  method: 'GET',
  path: '/api/command/*',
  access: 'user',
  summary:
    'A WebSocket that runs one command in this folder: the first message is the line, each answer a line of output, and the reason of the close is the exit code',
  replies: { 101: null, 400: null, 403: null },
})
