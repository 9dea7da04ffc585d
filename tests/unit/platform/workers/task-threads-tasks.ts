import { FilemgrError } from '../../../../src/domain/errors.ts'
import { serveTasks } from '../../../../src/platform/workers/task-host.ts'

serveTasks(async (kind: 'ask' | 'fail' | 'hoard' | 'wait' | 'leave', ask) => {
  if (kind === 'fail') throw new FilemgrError('TOO_LARGE', 'a bomb')
  if (kind === 'wait') await new Promise(() => undefined)
  if (kind === 'hoard') {
    const hoard: number[][] = []
    for (;;) hoard.push(Array.from({ length: 1_000_000 }, (_, index) => index + 0.5))
  }
  if (kind === 'leave') {
    void ask('nothing')
    return { result: 'left', transfer: [] }
  }
  const answers = await Promise.all(['a', 'b'].map(ask))
  const bytes = new Uint8Array([1, 2, 3])
  return { result: { answers, bytes }, transfer: [bytes.buffer] }
})
