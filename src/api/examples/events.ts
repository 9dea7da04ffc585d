import { EVENTS } from '../../domain/event.ts'
import type { Examples } from './operation-example.ts'

const STREAM = 'Wm0cYk7vT2sQb1xZ'

export const EVENT_EXAMPLES: Examples = {
  'events.stream': {
    description:
      `Events are called ${Object.keys(EVENTS).join(', ')}. Most say only that something is another one now; whoever shows ` +
      'it asks again. After a break connect again with `Last-Event-ID`, as browsers do by themselves.',
    query: { folder: '/docs' },
    headers: { 'Last-Event-ID': { description: 'of the last event that came', example: '17' } },
    replies: {
      200: {
        description: 'The events, until the session ends',
        mediaType: 'text/event-stream',
        value: `id: 1\nevent: hello\ndata: {"stream":"${STREAM}","folder":"/docs"}\n\nid: 2\nevent: folder\ndata: {"path":"/docs"}\n\n`,
      },
    },
  },
  'events.watch': { params: { stream: STREAM }, body: { folder: '/pictures' } },
}
