import { expect, it } from 'vitest'
import { FileWatch } from '../../../src/store/file-watch.ts'
import { recordingLog } from '../../helpers/recording-log.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('a look at the file that fails, however, tells of a change and ends nothing', async () => {
  await using folder = await tempFolder({ 'a file': '' })
  let changes = 0
  // ENOTDIR stands for what a network mount may say.
  using _watch = new FileWatch(folder.at('a file/store.json'), () => (changes += 1), {
    log: recordingLog(),
    pollInterval: 1,
  })
  await expect.poll(() => changes).toBe(1)
})
