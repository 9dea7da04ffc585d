import { describe, expect, it } from 'vitest'
import { createAddressList } from '../../../../src/platform/network/address-list.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'

describe('a list of trusted proxies', () => {
  it.each([
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '::ffff:10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.200.3.4', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['loopback'], '127.8.8.8', true],
    [['loopback'], '::1', true],
    [['uniquelocal'], 'fd00::1', true],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['10.0.0.1'], undefined, false],
    [['10.0.0.1'], '', false],
    [['unix'], undefined, true],
    [['unix'], '10.0.0.1', false],
    [[], '127.0.0.1', false],
    [['0.0.0.0/0'], 'no address', false],
  ])('%j holds %s: %s', (entries, address, held) => {
    expect(createAddressList(entries).has(address)).toBe(held)
  })

  it.each(['proxy.example', '10.0.0.1/33', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1/-1', '', '::1/129'])(
    'refuses an invalid address: "%s"',
    (entry) => {
      expect(() => createAddressList([entry])).toThrow(errorLike('INVALID_INPUT'))
    },
  )
})
