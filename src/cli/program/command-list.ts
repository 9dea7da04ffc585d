import type { CommandEntry } from './command.ts'

/** Every top-level word, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Run the daemon: hand a folder to browsers',
    load: async () => (await import('../commands/daemon/serve.ts')).serve,
  },
  {
    name: 'init',
    summary: 'Create the store with a first administrator',
    load: async () => (await import('../commands/data/init.ts')).init,
  },
  {
    name: 'status',
    summary: 'Say whether the daemon runs, where and since when',
    load: async () => (await import('../commands/daemon/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'Look for faults of an installation',
    load: async () => (await import('../commands/daemon/doctor.ts')).doctor,
  },
  {
    name: 'open',
    summary: 'Open the browser at the running daemon',
    load: async () => (await import('../commands/daemon/status.ts')).open,
  },
  {
    name: 'users',
    summary: 'Accounts: list, show, add, change, remove',
    load: async () => (await import('../commands/accounts/users.ts')).users,
  },
  {
    name: 'rules',
    summary: 'Rules about what all users, or one, may see: list, add, remove, move, test',
    load: async () => (await import('../commands/accounts/rules.ts')).rules,
  },
  {
    name: 'why',
    summary: 'Say what a user may do at a path, and what decides it',
    load: async () => (await import('../commands/accounts/why.ts')).why,
  },
  {
    name: 'shares',
    summary: 'Public links: list, show, add, change, remove',
    load: async () => (await import('../commands/files/shares.ts')).shares,
  },
  {
    name: 'settings',
    summary: 'Live settings: get, set, unset, export, import, edit',
    load: async () => (await import('../commands/settings/settings.ts')).settings,
  },
  {
    name: 'hooks',
    oldName: 'cmds',
    summary: 'Programs that run at events: list, add, remove, switch, test',
    load: async () => (await import('../commands/settings/hooks.ts')).hooks,
  },
  {
    name: 'branding',
    summary: 'Styles and pictures of this installation: list, add, remove',
    load: async () => (await import('../commands/settings/branding.ts')).branding,
  },
  {
    name: 'server',
    summary: 'Start-up values: get with source, set, unset',
    load: async () => (await import('../commands/settings/server.ts')).server,
  },
  {
    name: 'sessions',
    summary: 'Signed-in devices: list, revoke',
    load: async () => (await import('../commands/accounts/sessions.ts')).sessions,
  },
  {
    name: 'jobs',
    summary: 'Long work of the running daemon: list, cancel',
    load: async () => (await import('../commands/files/jobs.ts')).jobs,
  },
  {
    name: 'trash',
    summary: 'Trashed files: list, restore, empty',
    load: async () => (await import('../commands/files/trash.ts')).trash,
  },
  {
    name: 'uploads',
    summary: 'Unfinished uploads: list, give up',
    load: async () => (await import('../commands/files/uploads.ts')).uploads,
  },
  {
    name: 'backup',
    summary: 'The whole state in one file: create',
    load: async () => (await import('../commands/data/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Take a backup in place of the present state',
    load: async () => (await import('../commands/data/restore.ts')).restore,
  },
  {
    name: 'import',
    summary: 'Move an installation of File Browser here',
    load: async () => (await import('../commands/data/import.ts')).importCommand,
  },
  {
    name: 'logs',
    summary: 'Show the log, or who did what, and follow it',
    load: async () => (await import('../commands/daemon/logs.ts')).logs,
  },
  {
    name: 'cache',
    summary: 'Thumbnails that are kept: show, clear',
    load: async () => (await import('../commands/data/cache.ts')).cache,
  },
  {
    name: 'hash',
    summary: 'Print the hash of a password',
    load: async () => (await import('../commands/accounts/hash.ts')).hash,
  },
  {
    name: 'version',
    summary: 'Print the version',
    load: async () => (await import('../commands/daemon/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('../commands/daemon/completion.ts')).completion,
  },
  {
    name: 'config',
    summary: 'What is "settings", "server" and "init" here, in the words of File Browser',
    hidden: true,
    load: async () => (await import('../commands/settings/config.ts')).config,
  },
]
