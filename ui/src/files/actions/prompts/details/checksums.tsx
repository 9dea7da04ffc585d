import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getResource } from '../../../../../../src/api/files/files.ts'
import type { Job } from '../../../../../../src/domain/automation/job.ts'
import type { Checksum } from '../../../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../../api/api-error.ts'
import { useClient } from '../../../../api/client.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Progress } from '../../../../kit/feedback/progress.tsx'
import { cancelJobs, isJob, jobsQuery, watchJob } from '../../../queries/jobs-query.ts'
import { problemOf, problemText } from '../../../../common/problem-text.ts'
import { RESPOND_ASYNC } from '../../transfers/plan-transfers.ts'
import { useAnnounce } from '../../../../kit/feedback/announcer.tsx'
import { IconButton } from '../../../../kit/button/button.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { copyText } from '../../../../lib/copy-text.ts'
import styles from './details.module.css'

// Not imported from the domain, whose module is much larger.
const NAMES: Readonly<Record<Checksum, string>> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }

/** Checksums of a file, each computed on request. */
export function Checksums({ path }: { readonly path: VirtualPath }) {
  const t = useText()
  return (
    <div className={styles['hashes']} role="group" aria-label={t('details.checksums')}>
      {(Object.keys(NAMES) as Checksum[]).map((algorithm) => (
        <ChecksumRow key={algorithm} path={path} algorithm={algorithm} />
      ))}
    </div>
  )
}

function ChecksumRow({ path, algorithm }: { readonly path: VirtualPath; readonly algorithm: Checksum }) {
  const t = useText()
  const name = NAMES[algorithm]
  const { value, job, error, busy, compute } = useChecksum(path, algorithm)
  const row = useRef<HTMLDivElement>(null)
  const start = (): void => {
    compute()
    // The button goes away.
    row.current?.focus()
  }
  return (
    <div ref={row} className={styles['hash']} role="group" aria-label={name} tabIndex={-1}>
      <span className={styles['subtle']}>{name}</span>
      {value !== undefined && (
        <>
          <span className={styles['value']} dir="ltr" title={value}>
            {value}
          </span>
          <CopyButton label={t('details.copy', { name })} text={value} />
        </>
      )}
      {value === undefined && busy && <Progress value={shareDone(job)} label={name} />}
      {value === undefined && !busy && (
        <span>
          {error && <span className={styles['problem']}>{problemText(t, problemOf(error))} </span>}
          <button type="button" className="link touch" aria-label={t('details.computeOne', { name })} onClick={start}>
            {t('details.compute')}
          </button>
        </span>
      )}
    </div>
  )
}

/** The server runs a job for a large file; closing the dialog cancels it. */
function useChecksum(path: VirtualPath, algorithm: Checksum) {
  const client = useClient()
  const queries = useQueryClient()
  const running = useRef<string | undefined>(undefined)
  const closed = useRef(false)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const input = { params: { '*': path }, query: { checksum: algorithm }, headers: RESPOND_ASYNC }
      const reply: unknown = await client.call(getResource, input)
      if (!isJob(reply)) return (reply as { checksums?: Record<string, string> }).checksums?.[algorithm]
      running.current = reply.id
      if (closed.current) cancelJobs(client, [reply.id])
      const job = await watchJob(client, queries, reply)
      running.current = undefined
      if (job.state !== 'done') {
        throw new ApiError({ status: 500, code: job.error?.code ?? 'CANCELLED', message: job.error?.message ?? '' })
      }
      return job.checksums?.[algorithm]
    },
  })
  const { data: jobs } = useQuery({ ...jobsQuery(client), enabled: isPending })
  useEffect(() => {
    closed.current = false
    return () => {
      closed.current = true
      if (running.current !== undefined) cancelJobs(client, [running.current])
    }
  }, [client])
  const job = jobs?.find(({ kind, state, path: of }) => kind === 'checksum' && state === 'running' && of === path)
  return { value: data, job, error, busy: isPending, compute: () => mutate() }
}

function shareDone(job: Job | undefined): number {
  const { bytes = 0, totalBytes = 0 } = job?.progress ?? {}
  return totalBytes === 0 ? 0 : bytes / totalBytes
}

/** Copies a text, and shows a tick once it is copied. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const t = useText()
  const announce = useAnnounce()
  const toasts = useToasts()
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    const worked = await copyText(text)
    setCopied(worked)
    if (worked) announce(t('actions.textCopied'))
    else toasts.error(t('actions.textNotCopied'))
  }
  return <IconButton icon={copied ? 'check' : 'copy'} size="small" label={label} onClick={() => void copy()} />
}
