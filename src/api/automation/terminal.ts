import { operation, PathParams } from '../operation.ts'

export const openTerminal = operation({
  id: 'terminal.open',
  method: 'GET',
  path: '/api/command/*',
  access: 'user',
  params: PathParams,
  summary:
    'A WebSocket that runs one command in this folder: the first message is the command line, each reply a line of output, and the close reason the exit code',
  replies: { 101: null, 400: null, 403: null },
})
