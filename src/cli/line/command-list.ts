import type { CommandEntry } from '../program/command.ts'

/** Every top-level word, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Serve a folder to browsers',
    load: async () => (await import('../commands/server/serve.ts')).serve,
  },
  {
    name: 'init',
    summary: 'Create the store with a first administrator',
    load: async () => (await import('../commands/server/init.ts')).init,
  },
  {
    name: 'status',
    summary: 'Show whether the daemon is running, where and since when',
    load: async () => (await import('../commands/server/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'Check the installation and suggest fixes',
    load: async () => (await import('../commands/server/doctor.ts')).doctor,
  },
  {
    name: 'maintenance',
    summary: 'Let only administrators in while you move disks or upgrade',
    load: async () => (await import('../commands/server/maintenance.ts')).maintenance,
  },
  {
    name: 'service',
    summary: 'Install, remove or check the systemd service',
    load: async () => (await import('../commands/server/service.ts')).service,
  },
  {
    name: 'open',
    summary: 'Open the running daemon in a browser',
    load: async () => (await import('../commands/server/status.ts')).open,
  },
  {
    name: 'users',
    summary: 'Manage accounts',
    load: async () => (await import('../commands/accounts/users.ts')).users,
  },
  {
    name: 'groups',
    summary: 'Manage groups, which give places, permissions and quotas to several accounts',
    load: async () => (await import('../commands/accounts/groups.ts')).groups,
  },
  {
    name: 'roots',
    summary: 'Manage roots: other folders and buckets that accounts can live in',
    load: async () => (await import('../commands/server/roots.ts')).roots,
  },
  {
    name: 'sign-in',
    summary: 'Manage where else people may sign in',
    load: async () => (await import('../commands/accounts/sign-in.ts')).signIn,
  },
  {
    name: 'quota',
    summary: 'Show and recount what users with a quota use',
    load: async () => (await import('../commands/access/quota.ts')).quota,
  },
  {
    name: 'rules',
    summary: 'Manage rules: what all users, a group or one user may see, and do in folders',
    load: async () => (await import('../commands/access/rules.ts')).rules,
  },
  {
    name: 'why',
    summary: 'Explain what a user may do with a path',
    load: async () => (await import('../commands/access/why.ts')).why,
  },
  {
    name: 'shares',
    summary: 'Manage public links',
    load: async () => (await import('../commands/shares/shares.ts')).shares,
  },
  {
    name: 'grants',
    summary: 'Manage what users share with each other',
    load: async () => (await import('../commands/shares/grants.ts')).grants,
  },
  {
    name: 'settings',
    summary: 'Manage settings, which take effect immediately',
    load: async () => (await import('../commands/settings/settings.ts')).settings,
  },
  {
    name: 'hooks',
    oldName: 'cmds',
    summary: 'Manage programs that run before or after file operations',
    load: async () => (await import('../commands/automation/hooks.ts')).hooks,
  },
  {
    name: 'webhooks',
    summary: 'Manage addresses that are told of file operations',
    load: async () => (await import('../commands/automation/webhooks.ts')).webhooks,
  },
  {
    name: 'branding',
    summary: 'Manage custom styles and images',
    load: async () => (await import('../commands/settings/branding.ts')).branding,
  },
  {
    name: 'server',
    summary: 'Manage server options, which take effect at the next start',
    load: async () => (await import('../commands/server/server.ts')).server,
  },
  {
    name: 'sessions',
    summary: 'List signed-in devices and sign them out',
    load: async () => (await import('../commands/accounts/sessions.ts')).sessions,
  },
  {
    name: 'tokens',
    summary: 'Manage API tokens, with which programs act for a user',
    load: async () => (await import('../commands/accounts/tokens.ts')).tokens,
  },
  {
    name: 'jobs',
    summary: 'List and cancel copies, moves and other long operations',
    load: async () => (await import('../commands/automation/jobs.ts')).jobs,
  },
  {
    name: 'trash',
    summary: 'List, restore and delete files in the trash',
    load: async () => (await import('../commands/files/trash.ts')).trash,
  },
  {
    name: 'uploads',
    summary: 'List and cancel unfinished uploads',
    load: async () => (await import('../commands/uploads/uploads.ts')).uploads,
  },
  {
    name: 'backup',
    summary: 'Back up accounts, settings and links to one file',
    load: async () => (await import('../commands/server/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Restore a backup',
    load: async () => (await import('../commands/server/restore.ts')).restore,
  },
  {
    name: 'store',
    summary: 'Copy the store to a database, or back to files',
    load: async () => (await import('../commands/server/store.ts')).store,
  },
  {
    name: 'import',
    summary: 'Import a File Browser installation',
    load: async () => (await import('../commands/server/import.ts')).importCommand,
  },
  {
    name: 'logs',
    summary: 'Show the log or the activity log',
    load: async () => (await import('../commands/server/logs.ts')).logs,
  },
  {
    name: 'cache',
    summary: 'Show or clear the thumbnail cache',
    load: async () => (await import('../commands/server/cache.ts')).cache,
  },
  {
    name: 'hash',
    summary: 'Print the hash of a password',
    load: async () => (await import('../commands/accounts/hash.ts')).hash,
  },
  {
    name: 'put',
    summary: 'Upload a file to a server with an API token',
    load: async () => (await import('../commands/files/remote.ts')).put,
  },
  {
    name: 'get',
    summary: 'Download a file or folder from a server with an API token',
    load: async () => (await import('../commands/files/remote.ts')).get,
  },
  {
    name: 'ls',
    summary: 'List a folder of a server with an API token',
    load: async () => (await import('../commands/files/remote.ts')).ls,
  },
  {
    name: 'du',
    summary: 'Show the total size of folders of a server with an API token',
    load: async () => (await import('../commands/files/remote.ts')).du,
  },
  {
    name: 'rename',
    summary: 'Rename several entries of a folder of a server with an API token',
    load: async () => (await import('../commands/files/rename.ts')).rename,
  },
  {
    name: 'extract',
    summary: 'Extract an archive on a server with an API token',
    load: async () => (await import('../commands/files/archives.ts')).extract,
  },
  {
    name: 'compress',
    summary: 'Put entries of a folder of a server into a new archive with an API token',
    load: async () => (await import('../commands/files/archives.ts')).compress,
  },
  {
    name: 'version',
    summary: 'Print the version',
    load: async () => (await import('../commands/line/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('../commands/line/completion.ts')).completion,
  },
  {
    name: 'complete',
    summary: 'Used by the scripts of "completion"',
    hidden: true,
    load: async () => (await import('../commands/line/complete.ts')).complete,
  },
  {
    name: 'upgrade',
    summary: "File Browser's conversion of its first version",
    hidden: true,
    load: async () => (await import('../commands/server/import.ts')).upgrade,
  },
  {
    name: 'config',
    summary: 'File Browser\'s name for "settings", "server" and "init"',
    hidden: true,
    load: async () => (await import('../commands/settings/config.ts')).config,
  },
]
