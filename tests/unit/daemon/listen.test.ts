import { expect, it } from 'vitest'
import { listenOptions } from '../../../src/daemon/listen.ts'

it('an empty address is this machine, as the start line says, and not every network', () => {
  const place = { address: '', port: 1, socket: '', socketPerm: '0660' }
  expect(listenOptions(place)).toEqual({ host: '127.0.0.1', port: 1 })
})
