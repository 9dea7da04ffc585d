import { Places } from '../../domain/accounts/place.ts'
import { PATH_PERMISSIONS } from '../../domain/access/rule.ts'
import { Type } from 'typebox'
import { MaintenanceStatus } from '../../domain/server/maintenance.ts'
import { RestoreReport } from '../../domain/server/backup.ts'
import { NodeState } from '../../domain/server/node.ts'
import { GroupName, operatorOperation, UserName } from '../operation.ts'
import { createBackup, restoreBackup } from './backup.ts'
import { beginMaintenance } from './maintenance.ts'
import { getServer, updateServer } from './server-options.ts'

export const beginMaintenanceAsOperator = operatorOperation({
  id: beginMaintenance.id,
  access: 'operator',
  summary: 'Begin maintenance, or change its message; says whether the server lets people in without sign-in',
  body: beginMaintenance.body,
  replies: { 200: Type.Object({ status: MaintenanceStatus, withoutSignIn: Type.Boolean() }), 400: null },
})

export const updateServerAsOperator = operatorOperation({
  id: updateServer.id,
  access: 'operator',
  summary: 'Save the server options that are given, or reset saved ones; they take effect at the next start',
  body: Type.Object({
    values: Type.Optional(Type.Object({})),
    reset: Type.Optional(Type.Array(Type.String(), { description: 'Names of options that get their defaults' })),
  }),
  replies: { 200: getServer.replies[200], 400: null },
})

export const createBackupAsOperator = operatorOperation({
  id: createBackup.id,
  access: 'operator',
  reads: true,
  summary: 'Back up the state as a tar with the signing key',
  replyKind: 'bytes',
  replies: { 200: null },
})

export const restoreBackupAsOperator = operatorOperation({
  id: restoreBackup.id,
  access: 'operator',
  summary: 'Restore a backup completely',
  query: Type.Object({
    dryRun: Type.Boolean(),
    file: Type.Optional(Type.String({ description: 'Its name, for the activity log' })),
  }),
  bodyKind: 'bytes',
  replies: { 200: RestoreReport, 400: null, 413: null },
})

const ImportNotes = Type.Array(Type.Object({ subject: Type.String(), note: Type.String() }))

export const importInstallation = operatorOperation({
  id: 'store.import',
  access: 'operator',
  summary: 'Add what was found of an installation of another program',
  query: Type.Object({ dryRun: Type.Boolean() }),
  body: Type.Object({
    found: Type.Unknown({ description: 'As its importer has read it' }),
    files: Type.Array(Type.String(), { description: 'Where it was found, for the activity log' }),
    merge: Type.Boolean({ description: 'Also to a store with accounts' }),
  }),
  replies: {
    200: Type.Object({
      report: Type.Object({
        carried: ImportNotes,
        changed: ImportNotes,
        dropped: ImportNotes,
        clashes: ImportNotes,
        lookAt: ImportNotes,
      }),
      needsMerge: Type.Boolean(),
    }),
    400: null,
    409: null,
  },
})

export const listNodes = operatorOperation({
  id: 'server.nodes',
  access: 'operator',
  reads: true,
  summary: 'The daemons that share the database; none without one',
  replies: { 200: Type.Array(NodeState) },
})

/** How the operator names a place: its root, its folder unless there is only one, and whose it is. */
const PlaceName = Type.Object({
  root: Type.String({ description: 'Name of a root, or "id:f3JkQ0aZ"' }),
  folder: Type.Optional(Type.String({ maxLength: 4096, description: 'In the root' })),
  user: Type.Optional(UserName),
  group: Type.Optional(GroupName),
})

const ofPlaces = { 200: Places, 400: null, 404: null, 409: null }

export const givePlace = operatorOperation({
  id: 'roots.give',
  access: 'operator',
  summary: 'Give a folder of a root to a user or a group, or change what was given; the reply is the new list',
  body: Type.Object({
    ...PlaceName.properties,
    name: Type.Optional(Type.String({ maxLength: 64 })),
    permissions: Type.Optional(
      Type.Union([Type.Literal('account'), Type.Array(Type.Enum(PATH_PERMISSIONS), { uniqueItems: true })], {
        description: '"account" for those of the account',
      }),
    ),
  }),
  replies: ofPlaces,
})

export const takePlace = operatorOperation({
  id: 'roots.take',
  access: 'operator',
  summary: 'Take a folder of a root from a user or a group; the reply is the new list',
  body: PlaceName,
  replies: ofPlaces,
})
