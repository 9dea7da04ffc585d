import { isFilemgrError } from '../../../domain/errors.ts'
import { fault, skip, type Check, type Scene } from '../check.ts'

export const portCheck: Check = {
  name: 'port',
  title: 'Address and port',
  async run({ options, daemon }: Scene) {
    if (daemon !== undefined) return skip(`the daemon with pid ${daemon.pid} listens at ${daemon.url}`)
    // To try a socket would be to remove it.
    if (options.socket !== '') return skip('it listens on a unix socket')
    const { probeAddress } = await import('../../../daemon/listen.ts')
    try {
      await probeAddress(options)
      return []
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      const another = 'end the program that has it (ss -ltnp shows which), or filemgr server set port=NUMBER'
      return [fault(error.message, another)]
    }
  },
}
