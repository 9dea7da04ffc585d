import { methodInForce } from '../domain/accounts/auth-method.ts'
import type { BackupFolders } from '../domain/server/backup.ts'
import type { OptionSource, ServerOptions } from '../domain/server/server-options.ts'
import type { Session } from '../domain/accounts/session.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'
import type { ByteCache } from '../platform/cache/byte-cache.ts'
import type { Clock } from '../platform/clock.ts'
import type { ForeignDecoders } from '../platform/images/foreign-decoders.ts'
import type { Images } from '../platform/images/image-processes.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { PasswordHasher } from '../platform/security/password-hasher.ts'
import { JobQueue } from '../platform/limits/job-queue.ts'
import { compilePattern } from '../platform/validation/pattern.ts'
import type { PostForm } from '../platform/network/post-form.ts'
import type { Random } from '../platform/security/random.ts'
import type { TextReader } from '../platform/text/text-reader.ts'
import { packageVersion } from '../platform/version.ts'
import type { Storage } from '../storage/storage.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Collection, Shared, Store } from '../store/store.ts'
import { type AccessService, createAccess } from './access/access.ts'
import { type ActorWatch, createActorWatch } from './access/actor-watch.ts'
import { type AccountServices, createAccountServices } from './accounts/account-services.ts'
import { type ArchiveContents, createArchiveContents } from './files/archives/archive-contents.ts'
import { type Compression, createCompression } from './files/archives/compress.ts'
import { createExtraction, type Extraction } from './files/archives/extract.ts'
import { type Audit, type AuditTrail, createAudit } from './server/audit/audit.ts'
import { createAuditExport } from './server/audit/audit-export.ts'
import { createDownloadSelections } from './files/download-selections.ts'
import { createArchives, createDownloads, type Downloads } from './files/downloads.ts'
import { type Branding, type BrandingDeps, brandingFiles, createBranding } from './settings/branding.ts'
import { type Backups, createBackups } from './server/backup/backups.ts'
import type { StoreCodec } from './server/backup/backup-file.ts'
import { type PreviewCache, createPreviewCache } from './server/cache.ts'
import { createPreviews, type Previews } from './files/previews/previews.ts'
import { createEvents, type Events } from './automation/events/events.ts'
import { createFileChanges, type FileChanges } from './files/file-changes.ts'
import { createFolderSizes, type FolderSizesService } from './files/sizes/folder-sizes.ts'
import { createFiles, type Files } from './files/files.ts'
import { createUsage, type UsageService } from './files/usage.ts'
import { createHiddenFiles, type HiddenFilesService } from './server/chores/hidden-files.ts'
import { createHooks, type Hooks } from './automation/hooks/hooks.ts'
import { createHookRunner } from './automation/hooks/hook-runner.ts'
import { createQuotas, type Quotas } from './access/quotas/quotas.ts'
import { createJobJournal } from './automation/jobs/job-notes.ts'
import { createResumeJobs, type ResumeJobs } from './automation/jobs/resume-jobs.ts'
import type { HeavyMemory } from '../platform/limits/heavy-memory.ts'
import { createJobs, type Jobs } from './automation/events/jobs.ts'
import { createSessionLife } from './accounts/sessions/session-records.ts'
import { createRules, type Rules } from './access/rules.ts'
import { createStartJob } from './access/start-job.ts'
import { createRenames, type Renames } from './files/renames/renames.ts'
import { createSearch, type Search } from './files/search.ts'
import { createServerOptions, type ServerOptionsService } from './server/server-options.ts'
import { createSessionWatch, type SessionWatch } from './accounts/sessions/session-watch.ts'
import { createSessions, type Sessions } from './accounts/sessions/sessions.ts'
import { createSettings, type SettingsService } from './settings/settings.ts'
import { createSharing, type Sharing } from './shares/sharing.ts'
import { EXPIRED_RETENTION } from './shares/shares.ts'
import { createSubtitles, type SubtitlesService } from './files/subtitles.ts'
import { createTerminal, type TerminalService } from './automation/terminal.ts'
import { createTransferJobs } from './files/transfer-jobs.ts'
import { createTransfers, type Transfers } from './files/transfers.ts'
import { createTrash, createTrashSweep, type TrashService } from './files/trash.ts'
import { createChores, type Chores } from './server/chores/chores.ts'
import { createMaintenance, type MaintenanceService } from './server/maintenance.ts'
import { createLinkUploads, type LinkUploads } from './uploads/uploads-of-link.ts'
import { OpenUploads } from './uploads/open-uploads.ts'
import { createUploads, type Uploads } from './uploads/uploads.ts'
import { createHeldSessions } from './accounts/sessions/held-sessions.ts'
import { UPLOAD_IDLE } from './uploads/upload-lifetime.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from './uploads/unfinished-uploads.ts'
import { createWebhookRequest } from './automation/webhooks/webhook-request.ts'
import { createWebhookSender, type WebhookSender } from './automation/webhooks/webhook-sender.ts'
import { createWebhooks, type Webhooks } from './automation/webhooks/webhooks.ts'

/** All services, for HTTP and the command line. */
export interface Services extends AccountServices, AsyncDisposable {
  readonly sessions: Sessions
  /** Notifies connections that stay open that their session has ended. */
  readonly sessionWatch: SessionWatch
  readonly actorWatch: ActorWatch
  readonly settings: SettingsService
  readonly serverOptions: ServerOptionsService
  readonly branding: Branding
  readonly rules: Rules
  readonly hooks: Hooks
  readonly webhooks: Webhooks
  readonly webhookSender: WebhookSender
  readonly terminal: TerminalService
  readonly access: AccessService
  readonly files: Files
  readonly folderSizes: FolderSizesService
  /** Services that keep data about files subscribe here. */
  readonly fileChanges: FileChanges
  readonly transfers: Transfers
  readonly renames: Renames
  readonly archiveContents: ArchiveContents
  readonly extraction: Extraction
  readonly compression: Compression
  readonly trash: TrashService
  readonly hiddenFiles: HiddenFilesService
  readonly jobs: Jobs
  /** For the daemon, when it starts. */
  readonly resumeJobs: ResumeJobs
  readonly events: Events
  readonly downloads: Downloads
  readonly previews: Previews
  readonly previewCache: PreviewCache
  readonly subtitles: SubtitlesService
  readonly uploads: Uploads
  readonly unfinishedUploads: UnfinishedUploads
  readonly linkUploads: LinkUploads
  readonly usage: UsageService
  readonly quotas: Quotas
  readonly search: Search
  readonly shares: Sharing['shares']
  readonly arrivals: Sharing['arrivals']
  readonly visits: Sharing['visits']
  readonly sharedFiles: Sharing['sharedFiles']
  readonly linkCards: Sharing['linkCards']
  readonly backups: Backups
  readonly audit: Audit
  readonly maintenance: MaintenanceService
  /** Work that the daemon repeats. */
  readonly chores: Chores
}

export interface ServicesDeps extends Shared {
  readonly options: ServerOptions
  readonly optionSources: Readonly<Record<string, OptionSource>>
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly storage: Storage
  /** True if upload records are only in memory, so that uploads cannot be resumed after a restart. */
  readonly forgetsUploads: boolean
  readonly images: Images
  /** The memory of heavy work. */
  readonly memory: HeavyMemory
  readonly texts: TextReader
  readonly foreign: ForeignDecoders
  /** The thumbnail cache. */
  readonly cache: ByteCache
  readonly hasher: PasswordHasher
  /** For passwords of shares. */
  readonly shareHasher: PasswordHasher
  readonly postForm: PostForm
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** The folders of branding files. */
  readonly brandingFolders: Omit<BrandingDeps, 'settings'>
  readonly auditTrail: AuditTrail
  readonly backup: { readonly codec: StoreCodec; readonly folders: BackupFolders }
  /** Protected paths in the served folder. */
  readonly hidden: readonly VirtualPath[]
}

/** @throws STORE_INVALID if an option is not a valid duration */
export function createServices(deps: ServicesDeps): Services {
  const { options, store, storage, leases, messages, jobBoard, images, foreign, cache, clock, random, log, hidden } =
    deps
  const compile = compilePattern
  const life = createSessionLife(options.tokenExpirationTime, () => store.snapshot().settings.sessionMaxAge)
  const method = () => methodInForce(options, store.snapshot().settings)
  const copies = createAuditExport({ targets: options.auditExport, clock, log })
  const audit = createAudit({ trail: deps.auditTrail, copies, clock, log })
  const sessions = createSessions({ store, sessions: deps.sessions, life, method, audit, clock, random, log })
  const sessionWatch = createSessionWatch({ store, sessions: deps.sessions, life, method, clock })
  const fileChanges = createFileChanges({ log })
  const openUploads = new OpenUploads(deps.uploadRecords)
  const quotas = createQuotas({
    store,
    storage,
    options,
    openUploads,
    log,
    random,
    facts: deps.facts,
    usageRecords: deps.usageRecords,
    changes: fileChanges,
  })
  const { confirm, ...accounts } = createAccountServices({ ...deps, sessions, quotas, life })
  const settings = createSettings({ store, compile, options })
  const branding = createBranding({ settings: () => settings.current(), ...deps.brandingFolders })
  const archives = createArchives()
  const access = createAccess({ store, storage, compile, options, hidden })
  const actorWatch = createActorWatch({ store, sessions: deps.sessions })
  const current = () => settings.current()
  const webhookSender = createWebhookSender({
    store,
    states: deps.webhookStates,
    request: createWebhookRequest({ options, clock }),
    clock,
    random,
    log,
  })
  const hookRunner = createHookRunner({ settings: current, options, webhooks: webhookSender, audit, log })
  const { openings, ...sharing } = createSharing({
    ...deps,
    access,
    changes: fileChanges,
    hooks: hookRunner,
    hasher: deps.shareHasher,
  })
  const queue = new JobQueue({ clock, random })
  const archiveContents = createArchiveContents({ access, memory: deps.memory })
  const journal = createJobJournal({ records: deps.jobRecords, steps: deps.stepRecords, leases, clock, random })
  const heldSessions = createHeldSessions({ sessions, patience: UPLOAD_IDLE, clock, log })
  const startJob = createStartJob({ queue, journal, jobBoard, access, actorWatch, heldSessions, log })
  const jobDeps = { access, settings: current, changes: fileChanges, jobs: queue, startJob, hooks: hookRunner, quotas }
  const files = createFiles({ ...jobDeps, options, texts: deps.texts })
  const transferJobs = createTransferJobs(jobDeps)
  const renames = createRenames({ ...jobDeps, journal, log })
  const trash = createTrash(jobDeps)
  const extraction = createExtraction({ ...jobDeps, contents: archiveContents })
  const compression = createCompression(jobDeps)
  const jobs = createJobs({ queue, board: jobBoard, journal })
  const folderSizes = createFolderSizes({ access, changes: fileChanges, messages, jobs: queue, startJob, clock })
  const events = createEvents({
    store,
    sessions: deps.sessions,
    sessionWatch,
    access,
    changes: fileChanges,
    clock,
    random,
    jobs: queue,
    jobBoard,
    messages,
    onWatched: (folder) => folderSizes.touch(folder),
  })
  const maintenance = createMaintenance({ store, jobs: queue, clock })
  const { arrivals } = sharing
  const unfinishedUploads = createUnfinishedUploads({
    store,
    storage,
    options,
    openUploads,
    leases,
    arrivals,
    quotas,
    clock,
    log,
  })
  const hiddenFiles = createHiddenFiles({
    users: () => store.snapshot().users,
    storage,
    options,
    leases,
    messages,
    clock,
    log,
  })
  return {
    ...accounts,
    sessions,
    sessionWatch,
    actorWatch,
    settings,
    serverOptions: createServerOptions({ store, options, sources: deps.optionSources, confirm }),
    branding,
    rules: createRules({ store, access, compile, clock }),
    hooks: createHooks({ store, storage, options }),
    webhooks: createWebhooks({ store, options, sender: webhookSender, random }),
    webhookSender,
    terminal: createTerminal({ access, store, options, audit }),
    access,
    files,
    folderSizes,
    fileChanges,
    transfers: createTransfers({ ...jobDeps, jobs: transferJobs, now: () => clock.now() }),
    renames,
    archiveContents,
    extraction,
    compression,
    trash,
    hiddenFiles,
    jobs,
    resumeJobs: createResumeJobs({
      heldSessions,
      ...accounts,
      journal,
      leases,
      startJob,
      transferJobs,
      trash,
      files,
      folderSizes,
      extraction,
      compression,
      renames,
      log,
    }),
    events,
    downloads: createDownloads({
      access,
      archives,
      selections: createDownloadSelections({ facts: deps.facts, random }),
    }),
    uploads: createUploads({
      access,
      arrivals,
      settings: current,
      changes: fileChanges,
      openUploads,
      unfinished: unfinishedUploads,
      leases,
      clock,
      random,
      hooks: hookRunner,
      quotas,
      sessions: heldSessions,
    }),
    previewCache: createPreviewCache(cache),
    subtitles: createSubtitles({ access, texts: deps.texts }),
    previews: createPreviews({ access, options, changes: fileChanges, images, foreign, cache, clock, log }),
    unfinishedUploads,
    linkUploads: createLinkUploads({ store, openUploads, unfinished: unfinishedUploads, arrivals }),
    usage: createUsage({ access, quotas }),
    quotas,
    search: createSearch({ access }),
    ...sharing,
    backups: createBackups({
      store,
      sessions: deps.sessions,
      confirm,
      clock,
      random,
      compile,
      options,
      version: packageVersion,
      ...deps.backup,
      branding: () => brandingFiles(branding),
    }),
    audit,
    maintenance,
    chores: createChores({
      chores: [
        { name: 'trash', run: createTrashSweep({ store, storage, clock, options, quotas }) },
        { name: 'uploads', run: unfinishedUploads.sweep },
        { name: 'shares', run: async () => await sharing.shares.prune(EXPIRED_RETENTION) },
        { name: 'leftovers', run: hiddenFiles.sweep },
        { name: 'jobs', run: async () => await jobBoard.prune() },
      ],
      leases,
      runs: deps.choreRuns,
      isPaused: () => maintenance.refusalOf(undefined) !== undefined,
      clock,
      log,
    }),
    async [Symbol.asyncDispose]() {
      events[Symbol.dispose]()
      folderSizes[Symbol.dispose]()
      maintenance[Symbol.dispose]()
      await queue[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
      await quotas[Symbol.asyncDispose]()
      jobs[Symbol.dispose]()
      await hookRunner[Symbol.asyncDispose]()
      await webhookSender[Symbol.asyncDispose]()
      if (deps.forgetsUploads) await unfinishedUploads.discardAll()
      sessionWatch[Symbol.dispose]()
      actorWatch[Symbol.dispose]()
      await openings[Symbol.asyncDispose]()
      await archiveContents[Symbol.asyncDispose]()
      await accounts.apiTokens[Symbol.asyncDispose]()
      await sessions[Symbol.asyncDispose]()
      await audit[Symbol.asyncDispose]()
    },
  }
}
