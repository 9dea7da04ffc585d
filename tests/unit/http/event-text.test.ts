import { describe, expect, it } from 'vitest'
import { eventText } from '../../../src/http/routes/automation/events.ts'

interface Next {
  readonly id: number
  readonly event: { readonly name: 'folder'; readonly data: { path: string } }
}

describe('the text of events', () => {
  it('keeps an event in one line of data, whatever is in it', async () => {
    const events: Next[] = [{ id: 7, event: { name: 'folder', data: { path: '/a\n\ndata: b' } } }]
    const text = await Array.fromAsync(eventText({ next: async () => events.shift() }))
    expect(text.slice(1)).toEqual(['id: 7\nevent: folder\ndata: {"path":"/a\\n\\ndata: b"}\n\n'])
  })

  it('has comments while there are no events, and loses no event by them', async () => {
    const { promise, resolve } = Promise.withResolvers<Next | undefined>()
    const answers: (Promise<Next | undefined> | undefined)[] = [promise, undefined]
    const text = eventText({ next: async () => await answers.shift() }, 1)
    await text.next()
    expect((await text.next()).value).toBe(':\n\n')
    expect((await text.next()).value).toBe(':\n\n')
    resolve({ id: 1, event: { name: 'folder', data: { path: '/' } } })
    const rest = await Array.fromAsync(text)
    expect(rest.filter((part) => part !== ':\n\n')).toHaveLength(1)
  })
})
