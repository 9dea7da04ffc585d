import { Option } from 'commander'
import { command } from '../../program/command.ts'

/** File Browser once converted the files of its first version with it; start scripts may still run it. */
export const upgrade = command({
  name: 'upgrade',
  summary: 'Accepted for old scripts; has no effect',
  options: [
    new Option('--old.database <file>', 'accepted for old scripts; has no effect'),
    new Option('--old.config <file>', 'accepted for old scripts; has no effect'),
  ],
  examples: [['import filebrowser.db', 'imports a database of File Browser 2']],
  async run({ output }) {
    const advice =
      'to move from File Browser, use "filemgr import filebrowser.db"; version 1 must be upgraded by File Browser'
    output.warning(`nothing to upgrade: filemgr upgrades its own store when it starts; ${advice}`)
  },
})
