import { describe, expect, it, vi } from 'vitest'
import { type AppHistory, createBrowserHistory, type LeaveGuard } from '../../../../ui/src/lib/navigation/history.ts'
import { fakeWindow } from '../../../helpers/unit/fake-window.ts'
import { eventually } from '../../../helpers/patience.ts'

function open(href = '/files/'): { page: Window; history: AppHistory } {
  const page = fakeWindow(href)
  return { page, history: createBrowserHistory(page) }
}

const popped = async (page: Window, move: () => void): Promise<void> => {
  const heard = new Promise((resolve) => page.addEventListener('popstate', resolve))
  move()
  await heard
  await Promise.resolve()
}

const guardOf = (answers: boolean[], hasUnsavedChanges = true): LeaveGuard & { asked: number } => ({
  asked: 0,
  hasUnsavedChanges: () => hasUnsavedChanges,
  mayLeave() {
    this.asked += 1
    return Promise.resolve(answers.shift() ?? false)
  },
  warnsBeforeUnload: () => hasUnsavedChanges,
})

describe('the history', () => {
  it('goes forward, back and to another address of the same page', async () => {
    const { page, history } = open()
    const listener = vi.fn()
    history.subscribe(listener)
    expect(history.canGoBack()).toBe(false)
    history.push('/files/a/?x=1#top')
    expect(history.location).toMatchObject({ pathname: '/files/a/', search: '?x=1', hash: '#top' })
    history.replace('/files/b/')
    expect(history.canGoBack()).toBe(true)
    await popped(page, history.back)
    expect(history.location.href).toBe('/files/')
    expect(history.canGoBack()).toBe(false)
    expect(listener).toHaveBeenCalledTimes(3)
  })

  it('gives each visit a key, and finds it again', async () => {
    const { page, history } = open()
    const { key } = history.location.state
    history.push('/files/a/', { reveal: 'x.txt' })
    expect(history.location.state).toMatchObject({ reveal: 'x.txt', index: 1 })
    expect(history.location.state.key).not.toBe(key)
    await popped(page, history.back)
    expect(history.location.state.key).toBe(key)
    history.push('/files/?q=x', { key })
    expect(history.location.state.key).toBe(key)
  })

  it('treats a step of the browser as the same visit', () => {
    const { page, history } = open()
    const { key } = history.location.state
    page.history.pushState(null, '', '#main')
    page.dispatchEvent(new Event('popstate'))
    expect(history.location).toMatchObject({ hash: '#main', state: { key, index: 1 } })
  })
})

describe('unsaved changes', () => {
  it('make the page ask before it shows another path, but not for the same one', async () => {
    const { history } = open('/files/a.txt')
    const guard = guardOf([false, true])
    const stop = history.guard(guard)
    history.push('/files/a.txt?edit=true')
    expect(history.location.search).toBe('?edit=true')
    history.push('/files/')
    await eventually(() => expect(guard.asked).toBe(1))
    expect(history.location.pathname).toBe('/files/a.txt')
    history.push('/files/')
    await eventually(() => expect(history.location.pathname).toBe('/files/'))
    stop()
    history.push('/trash')
    expect(history.location.pathname).toBe('/trash')
  })

  it('delay Back', async () => {
    const { page, history } = open()
    history.push('/files/a.txt')
    const guard = guardOf([false, true])
    history.guard(guard)
    history.back()
    await eventually(() => expect(guard.asked).toBe(1))
    await eventually(() => expect(page.location.pathname).toBe('/files/a.txt'))
    expect(history.location.pathname).toBe('/files/a.txt')
    await new Promise((resolve) => setTimeout(resolve, 5))
    history.back()
    await eventually(() => expect(history.location.pathname).toBe('/files/'))
    expect(guard.asked).toBe(2)
  })

  it('make the browser ask before the page closes', () => {
    const { page, history } = open()
    const close = (): boolean => page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(close()).toBe(true)
    history.guard(guardOf([], false))
    expect(close()).toBe(true)
    history.guard(guardOf([]))
    expect(close()).toBe(false)
  })
})
