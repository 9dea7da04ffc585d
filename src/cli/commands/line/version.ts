import { packageVersion } from '../../../platform/version.ts'
import { command } from '../../program/command.ts'

export const version = command({
  name: 'version',
  summary: 'Print the version',
  examples: [['version --json', 'for scripts']],
  async run({ output }) {
    const number = packageVersion()
    await output.answer({ json: { version: number }, ids: [number], text: `filemgr ${number}` })
  },
})
