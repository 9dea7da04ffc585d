import type { CommandEntry } from './command.ts'

/** Every top-level word, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the daemon: hand a folder to browsers',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'init',
    summary: 'Create the store with a first administrator',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'status',
    summary: 'Say whether the daemon runs, where and since when',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'Look for faults of an installation',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'open',
    summary: 'Open the browser at the running daemon',
    load: async () => (await import('./commands/status.ts')).open,
  },
  {
    name: 'users',
    summary: 'Accounts: list, show, add, change, remove',
    load: async () => (await import('./commands/users.ts')).users,
  },
  {
    name: 'rules',
    summary: 'Rules about what all users, or one, may see: list, add, remove, move, test',
    load: async () => (await import('./commands/rules.ts')).rules,
  },
  {
    name: 'why',
    summary: 'Say what a user may do at a path, and what decides it',
    load: async () => (await import('./commands/why.ts')).why,
  },
  {
    name: 'shares',
    summary: 'Public links: list, show, add, change, remove',
    load: async () => (await import('./commands/shares.ts')).shares,
  },
  {
    name: 'settings',
    summary: 'Live settings: get, set, unset, export, import, edit',
    load: async () => (await import('./commands/settings.ts')).settings,
  },
  {
    name: 'hooks',
    oldName: 'cmds',
    summary: 'Programs that run at events: list, add, remove, switch, test',
    load: async () => (await import('./commands/hooks.ts')).hooks,
  },
  {
    name: 'branding',
    summary: 'Styles and pictures of this installation: list, add, remove',
    load: async () => (await import('./commands/branding.ts')).branding,
  },
  {
    name: 'server',
    summary: 'Start-up values: get with source, set, unset',
    load: async () => (await import('./commands/server.ts')).server,
  },
  {
    name: 'sessions',
    summary: 'Signed-in devices: list, revoke',
    load: async () => (await import('./commands/sessions.ts')).sessions,
  },
  {
    name: 'jobs',
    summary: 'Long work of the running daemon: list, cancel',
    load: async () => (await import('./commands/jobs.ts')).jobs,
  },
  {
    name: 'trash',
    summary: 'Trashed files: list, restore, empty',
    load: async () => (await import('./commands/trash.ts')).trash,
  },
  {
    name: 'uploads',
    summary: 'Unfinished uploads: list, give up',
    load: async () => (await import('./commands/uploads.ts')).uploads,
  },
  {
    name: 'backup',
    summary: 'The whole state in one file: create',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Take a backup in place of the present state',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'import',
    summary: 'Move an installation of File Browser here',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'logs',
    summary: 'Show the log, or who did what, and follow it',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'cache',
    summary: 'Thumbnails that are kept: show, clear',
    load: async () => (await import('./commands/cache.ts')).cache,
  },
  {
    name: 'hash',
    summary: 'Print the hash of a password',
    load: async () => (await import('./commands/hash.ts')).hash,
  },
  {
    name: 'version',
    summary: 'Print the version',
    load: async () => (await import('./commands/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  {
    name: 'config',
    summary: 'What is "settings", "server" and "init" here, in the words of File Browser',
    hidden: true,
    load: async () => (await import('./commands/config.ts')).config,
  },
]
