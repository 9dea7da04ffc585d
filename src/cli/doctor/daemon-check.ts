import { isFilemgrError } from '../../domain/errors.ts'
import { type Check, fault, type DoctorContext, skip } from './doctor-context.ts'

/** A daemon that hangs still holds its port and its data folder. */
export const daemonCheck: Check = {
  name: 'daemon',
  title: 'Daemon: answers',
  async run({ folder, daemon }: DoctorContext) {
    if (daemon === undefined) return skip('no daemon is running on this data folder')
    const { requireAnswer } = await import('../../context/daemon-record.ts')
    try {
      await requireAnswer(folder, daemon)
      return []
    } catch (error) {
      if (isFilemgrError(error, 'DAEMON_NOT_RUNNING')) return skip('it has just ended')
      if (!isFilemgrError(error)) throw error
      const [problem = '', fix = 'restart it'] = error.message.split('; ')
      return [fault(problem, fix)]
    }
  },
}
