import { expect, it } from 'vitest'
import { disposition } from '../../../../src/http/send/disposition.ts'

it.each([
  ['plain.txt', 'plain.txt'],
  ['100% sure.txt', '100%25%20sure.txt'],
  ['plus+plus.txt', 'plus+plus.txt'],
  ['amp&eq=.txt', 'amp&eq=.txt'],
  ['a$b:c@d~e_f-g', 'a$b:c@d~e_f-g'],
  ['semi;comma,star*(x)!', 'semi%3Bcomma%2Cstar%2A%28x%29%21'],
  [`quote'".txt`, 'quote%27%22.txt'],
  ['a?b#c\\d', 'a%3Fb%23c%5Cd'],
  ['tab\tline\r\n', 'tab%09line%0D%0A'],
  ['ünï.txt', '%C3%BCn%C3%AF.txt'],
  ['日本.txt', '%E6%97%A5%E6%9C%AC.txt'],
  ['half\ud83d', 'half%EF%BF%BD'],
])('writes the name %j as %s', (name, encoded) => {
  expect(disposition('attachment', name)).toBe(`attachment; filename*=utf-8''${encoded}`)
})

it('says inline when asked', () => {
  expect(disposition('inline', 'a')).toBe("inline; filename*=utf-8''a")
})
