import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../../ui/src/worker/kind-of.ts'
import { openNotice } from '../../../../ui/src/worker/open-notice.ts'
import type { WorkerClients } from '../../../../ui/src/worker/worker-scope.ts'
import { filesIn } from '../../../../ui/src/worker/received.ts'

const SCOPE = 'https://files.example/fb/'

const kind = (path: string, { method = 'GET', mode = 'cors', token = true } = {}) =>
  kindOf({ method, mode: mode as RequestMode, url: SCOPE + path, headers: { has: () => token } }, SCOPE)

describe('the service worker', () => {
  it.each([
    ['files/a/', { mode: 'navigate' }, 'page'],
    ['login?redirect=x', { mode: 'navigate' }, 'page'],
    ['static/index-abcd1234.js', {}, 'asset'],
    ['static/texts/de.first-abcd1234.json', {}, 'asset'],
    ['api/resources/a/', {}, 'listing'],
    ['receive', { mode: 'navigate', method: 'POST' }, 'receive'],
  ])('handles %s (%j) as %s', (path, request, expected) => {
    expect(kind(path, request)).toBe(expected)
  })

  it.each([
    ['api/login', { method: 'POST' }],
    ['api/renew', {}],
    ['api/raw/secret.txt', {}],
    ['api/raw/secret.pdf', { mode: 'navigate' }],
    ['api/preview/thumb/a.png', {}],
    ['api/public/share/abc', {}],
    ['api/public/dl/abc', { mode: 'navigate' }],
    ['share/abc', { mode: 'navigate' }],
    ['api/resources/a/?checksum=md5', {}],
    ['api/resources/a/', { token: false }],
    ['api/resources/a/', { method: 'DELETE' }],
    ['api/users', {}],
    ['api/settings', {}],
    ['api/sessions', {}],
    ['static/custom.css', {}],
    ['static/sw.js', {}],
    ['login', { mode: 'navigate', method: 'POST' }],
  ])('ignores %s (%j)', (path, request) => {
    expect(kind(path, request)).toBeUndefined()
  })

  it('ignores everything outside its base URL', () => {
    const facts = { method: 'GET', mode: 'navigate', headers: { has: () => true } } as const
    for (const url of [
      'https://files.example/',
      'https://files.example/fbx/files/',
      'https://captcha.example/fb/files/',
    ])
      expect(kindOf({ ...facts, url }, SCOPE)).toBeUndefined()
  })
})

describe('content shared by another app', () => {
  const now = new Date('2026-03-04T05:06:07Z')
  const form = (entries: [string, string | File][]) => {
    const data = new FormData()
    for (const [name, value] of entries) {
      if (typeof value === 'string') data.append(name, value)
      else data.append(name, value, value.name)
    }
    return data
  }

  it('is its files, or a text file for text and links', async () => {
    const photo = new File(['x'], 'photo.jpg')
    expect(
      filesIn(
        form([
          ['title', 'My photo'],
          ['files', photo],
        ]),
        now,
      ).map(({ name }) => name),
    ).toEqual(['photo.jpg'])
    const [link] = filesIn(
      form([
        ['title', 'A page'],
        ['text', ''],
        ['url', 'https://example.org/'],
      ]),
      now,
    )
    expect([link?.name, await link?.text()]).toEqual(['shared-2026-03-04-05-06.txt', 'A page\nhttps://example.org/\n'])
    expect(filesIn(form([]), now)).toEqual([])
  })
})

describe('a clicked notification', () => {
  const press = async (data: unknown, open: readonly string[]) => {
    const seen: unknown[] = []
    const clients: WorkerClients = {
      matchAll: async () =>
        open.map((url) => ({
          url,
          postMessage: (message) => seen.push(url, message),
          focus: () => Promise.reject(new DOMException('not now', 'InvalidAccessError')),
        })),
      claim: async () => undefined,
      openWindow: async (address) => seen.push(address),
    }
    await openNotice(data, clients, SCOPE)
    return seen
  }

  it('opens its address in the last used window, but not in that of a visitor', async () => {
    const windows = [`${SCOPE}share/abc`, 'https://files.example/', `${SCOPE}settings/profile`, `${SCOPE}files/`]
    expect(await press({ href: '/fb/files/a/' }, windows)).toEqual([
      `${SCOPE}settings/profile`,
      { type: 'go', href: `${SCOPE}files/a/` },
    ])
  })

  it('opens a window if none is open, and never one of another site', async () => {
    expect(await press({ href: '/fb/files/a/' }, [`${SCOPE}share/abc`])).toEqual([`${SCOPE}files/a/`])
    for (const data of [null, {}, { href: '//evil.example/' }, { href: '/other/' }, { href: 'javascript:alert(1)' }]) {
      const opened = await press(data, [])
      expect(opened.filter((address) => address !== SCOPE)).toEqual([])
    }
  })
})
