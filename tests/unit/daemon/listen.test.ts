import { expect, it } from 'vitest'
import { listenOptions } from '../../../src/daemon/listen.ts'

it('an empty address listens on this machine only, as the start line says', () => {
  const options = { address: '', port: 1, socket: '', socketPerm: '0660' }
  expect(listenOptions(options)).toEqual({ host: '127.0.0.1', port: 1 })
})
