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
import { createAccess } from './access/access.ts'
import { createActorWatch } from './access/actor-watch.ts'
import { createAccountServices } from './accounts/account-services.ts'
import { createArchiveContents } from './files/archives/archive-contents.ts'
import { createCompression } from './files/archives/compress.ts'
import { createExtraction } from './files/archives/extract.ts'
import { type AuditTrail, createAudit } from './server/audit/audit.ts'
import { createAuditExport } from './server/audit/audit-export.ts'
import { createDownloadSelections } from './files/download-selections.ts'
import { createArchives, createDownloads } from './files/downloads.ts'
import { type BrandingDeps, brandingFiles, createBranding } from './settings/branding.ts'
import { createBackups } from './server/backup/backups.ts'
import type { StoreCodec } from './server/backup/backup-file.ts'
import { createPreviewCache } from './server/cache.ts'
import { createPictureEdits } from './files/picture-edits.ts'
import { createPreviews } from './files/previews/previews.ts'
import { createEvents } from './automation/events/events.ts'
import { createFileChanges } from './access/file-changes.ts'
import { createFolderSizes } from './files/sizes/folder-sizes.ts'
import { createFiles } from './files/files.ts'
import { createPlaces } from './files/places.ts'
import { createUsage } from './files/usage.ts'
import { createHiddenFiles } from './server/chores/hidden-files.ts'
import { createHooks } from './automation/hooks/hooks.ts'
import { createHookRunner } from './automation/hooks/hook-runner.ts'
import { createQuotas } from './access/quotas/quotas.ts'
import { createJobJournal } from './automation/jobs/job-notes.ts'
import { createResumeJobs } from './resume-jobs.ts'
import type { HeavyMemory } from '../platform/limits/heavy-memory.ts'
import { createJobs } from './automation/events/jobs.ts'
import { RootIndex } from './stored-roots.ts'
import { createNotices } from './automation/notices.ts'
import { createSessionLife } from './accounts/sessions/session-records.ts'
import { createGivenPlaces } from './server/roots/given-places.ts'
import { createRules } from './access/rules.ts'
import { createStartJob } from './automation/jobs/start-job.ts'
import { createRenames } from './files/renames/renames.ts'
import { createSearch } from './files/search.ts'
import { createRootWatch } from './server/roots/root-watch.ts'
import { createRoots } from './server/roots/roots.ts'
import type { LocationDeps } from './server/roots/root-location.ts'
import { createServerOptions } from './server/server-options.ts'
import { createSessionWatch } from './accounts/sessions/session-watch.ts'
import { createWayIsOpen } from './accounts/sessions/open-ways.ts'
import { createSessions, type Sessions } from './accounts/sessions/sessions.ts'
import { createSettings } from './settings/settings.ts'
import { createSharing } from './shares/sharing.ts'
import { EXPIRED_RETENTION } from './shares/shares.ts'
import { createSubtitles } from './files/subtitles.ts'
import { createTerminal } from './automation/terminal.ts'
import { createTransferJobs } from './files/transfer-jobs.ts'
import { createChangeMany } from './files/change-many.ts'
import { createTransfers } from './files/transfers.ts'
import { createTrash, createTrashSweep } from './files/trash.ts'
import { createLeftPeople } from './accounts/directories/left-people.ts'
import { createChores } from './server/chores/chores.ts'
import { createMaintenance } from './server/maintenance.ts'
import { createLinkUploads } from './uploads/uploads-of-link.ts'
import { OpenUploads } from './uploads/open-uploads.ts'
import { createUploads } from './uploads/uploads.ts'
import { createHeldSessions } from './accounts/sessions/held-sessions.ts'
import { UPLOAD_IDLE } from './uploads/upload-lifetime.ts'
import { createUnfinishedUploads } from './uploads/unfinished-uploads.ts'
import { createWebhookRequest } from './automation/webhooks/webhook-request.ts'
import { createWebhookSender } from './automation/webhooks/webhook-sender.ts'
import { createWebhooks } from './automation/webhooks/webhooks.ts'

export interface ServicesDeps extends Shared, LocationDeps {
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

/** All services, for HTTP and the command line. @throws STORE_INVALID if an option is not a valid duration */
export function createServices(deps: ServicesDeps) {
  const { options, store, storage, leases, messages, jobBoard, images, foreign, cache, clock, random, log, hidden } =
    deps
  const compile = compilePattern
  const life = createSessionLife(options.tokenExpirationTime, () => store.snapshot().settings.sessionMaxAge)
  const method = () => methodInForce(options, store.snapshot().settings)
  const copies = createAuditExport({ targets: options.auditExport, clock, log })
  const audit = createAudit({ trail: deps.auditTrail, copies, clock, log })
  const isOpen = createWayIsOpen({ method, providers: () => store.snapshot().providers })
  const sessions = createSessions({ store, sessions: deps.sessions, life, isOpen, audit, clock, random, log })
  const leftPeople = createLeftPeople({ store, stored: deps.sessions, sessions, log })
  const sessionWatch = createSessionWatch({ store, sessions: deps.sessions, life, isOpen, clock })
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
  const access = createAccess({ store, storage, compile, clock, options, hidden })
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
  const roots = new RootIndex(store, options)
  const rootWatch = createRootWatch({ store, storage, clock, log })
  const hookRunner = createHookRunner({ settings: current, options, webhooks: webhookSender, roots, audit, log })
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
  const transfers = createTransfers({ ...jobDeps, jobs: transferJobs, now: () => clock.now() })
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
    roots,
    openUploads,
    leases,
    arrivals,
    quotas,
    clock,
    log,
  })
  const hiddenFiles = createHiddenFiles({
    store,
    storage,
    options,
    leases,
    messages,
    clock,
    log,
  })
  return {
    ...accounts,
    // Without what is only for the sign-in services.
    sessions: sessions as Sessions,
    sessionWatch,
    leftPeople,
    actorWatch,
    settings,
    serverOptions: createServerOptions({ store, options, sources: deps.optionSources, confirm }),
    roots: createRoots({ ...deps, confirm }),
    rootWatch,
    givenPlaces: createGivenPlaces({ store, compile, clock }),
    branding,
    rules: createRules({ store, storage, access, compile, clock }),
    hooks: createHooks({ store, storage, options }),
    webhooks: createWebhooks({ store, options, sender: webhookSender, random }),
    webhookSender,
    terminal: createTerminal({ access, store, options, audit }),
    access,
    files,
    folderSizes,
    fileChanges,
    transfers,
    ...createChangeMany({ transfers, trash, settings: jobDeps.settings, now: () => clock.now() }),
    renames,
    archiveContents,
    extraction,
    compression,
    trash,
    hiddenFiles,
    jobs,
    notices: createNotices({
      store,
      jobs,
      quotas,
      ownShares: sharing.shares.own,
      sharedWith: sharing.grants.sharedWith,
      awayRoots: rootWatch.away,
      clock,
    }),
    resumeJobs: createResumeJobs({
      heldSessions,
      ...accounts,
      journal,
      leases,
      jobBoard,
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
    previews: createPreviews({
      access,
      options,
      changes: fileChanges,
      images,
      foreign,
      texts: deps.texts,
      cache,
      clock,
      log,
    }),
    pictureEdits: createPictureEdits({ access, images, files }),
    unfinishedUploads,
    linkUploads: createLinkUploads({ store, openUploads, unfinished: unfinishedUploads, arrivals }),
    usage: createUsage({ access, quotas }),
    places: createPlaces({ access, options, roots }),
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
        {
          name: 'shares',
          async run() {
            await sharing.shares.prune(EXPIRED_RETENTION)
            await sharing.grants.prune(EXPIRED_RETENTION)
          },
        },
        { name: 'leftovers', run: hiddenFiles.sweep },
        { name: 'jobs', run: async () => await jobBoard.prune() },
        { name: 'directories', run: leftPeople.sweep },
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

export type Services = ReturnType<typeof createServices>
