import { expect, it, describe } from 'vitest'
import { disposition, inlineContent } from '../../../../src/http/send/disposition.ts'

it.each([
  ['plain.txt', 'plain.txt', 'plain.txt'],
  ['100% sure.txt', '100% sure.txt', '100%25%20sure.txt'],
  ['plus+plus.txt', 'plus+plus.txt', 'plus+plus.txt'],
  ['amp&eq=.txt', 'amp&eq=.txt', 'amp&eq=.txt'],
  ['a$b:c@d~e_f-g', 'a$b:c@d~e_f-g', 'a$b:c@d~e_f-g'],
  ['semi;comma,star*(x)!', 'semi;comma,star*(x)!', 'semi%3Bcomma%2Cstar%2A%28x%29%21'],
  [`quote'".txt`, `quote''.txt`, 'quote%27%22.txt'],
  ['a?b#c\\d', 'a?b#c_d', 'a%3Fb%23c%5Cd'],
  ['tab\tline\r\n', 'tab_line__', 'tab%09line%0D%0A'],
  ['ünï.txt', 'uni.txt', '%C3%BCn%C3%AF.txt'],
  ['日本.txt', '__.txt', '%E6%97%A5%E6%9C%AC.txt'],
  ['half\ud83d', 'half_', 'half%EF%BF%BD'],
  ['👍.txt', '_.txt', '%F0%9F%91%8D.txt'],
  // Without them, some clients would take these for folders, or for the end of the name.
  ['..／..＼x＂.txt', ".._.._x'.txt", '..%EF%BC%8F..%EF%BC%BCx%EF%BC%82.txt'],
  ['%2e%2E%2Fx', '_2e_2E_2Fx', '%252e%252E%252Fx'],
  ['\u007f\u0085\u2028', '___', '%7F%C2%85%E2%80%A8'],
])('writes the name %j as %j and %s', (name, plain, encoded) => {
  expect(disposition('attachment', name)).toBe(`attachment; filename="${plain}"; filename*=utf-8''${encoded}`)
})

it('says inline when asked', () => {
  expect(disposition('inline', 'a')).toBe(`inline; filename="a"; filename*=utf-8''a`)
})

const text = Buffer.from('text')

describe('inlineContent', () => {
  it.each(['a.png', 'a.jpg', 'a.gif', 'a.webp', 'a.avif', 'a.mp3', 'a.mp4', 'a.pdf', 'a.txt'])(
    'shows %s as it is, without scripts',
    (name) => {
      expect(inlineContent(name, text).policy).toBe("script-src 'none'; frame-ancestors 'self'")
    },
  )

  it.each(['a.svg', 'a.html', 'a.htm', 'a.xml', 'a.xhtml', 'a.css', 'a.json', 'a.zip', 'noextension.zzz'])(
    'CVE-2021-37794, CVE-2023-39612, CVE-2023-41471: shows %s in a sandbox',
    (name) => {
      const head = name.endsWith('.zzz') ? Buffer.from('<!DOCTYPE html><script>') : text
      expect(inlineContent(name, head).policy).toMatch(/^sandbox; default-src 'none'/)
    },
  )

  it.each(['a.js', 'a.mjs', 'a.JS'])('never gives %s a script type', (name) => {
    expect(inlineContent(name, text).type).toBe('text/plain; charset=utf-8')
  })

  it('reads the first bytes when the name says nothing', () => {
    expect(inlineContent('picture', Buffer.from('GIF89a...')).type).toBe('image/gif')
  })
})
