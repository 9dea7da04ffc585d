import { describe, expect, it } from 'vitest'
import { inlineContent } from '../../../../src/http/send/inline-content.ts'

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
