import { fail } from '../../domain/errors.ts'
import { command } from '../command.ts'
import { openBrowser } from '../open-browser.ts'
import { requireDaemon } from '../find-daemon.ts'

export const open = command({
  name: 'open',
  summary: 'Open the browser at the running daemon',
  examples: [['open', 'opens the page; the address is printed too']],
  async run(invocation) {
    const { url, socket } = await requireDaemon(invocation)
    if (socket !== undefined) {
      fail('UNSUPPORTED', `the daemon listens on ${socket}; open the address of the proxy in front of it`)
    }
    await openBrowser(url, invocation.output)
    await invocation.output.answer({ json: { url }, ids: [url], text: url })
  },
})
