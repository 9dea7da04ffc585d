import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { LinkView } from '../../../../src/domain/shares/share-terms.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { useStore } from '../../lib/create-store.ts'
import { LinkText } from '../link-text.tsx'
import { ExpiryFact, ShareFacts } from '../share-parts.tsx'
import { linkQuery } from '../use-visit.ts'
import { createSendMemory } from './send-memory.ts'
import { createSender, type Sender, type SentFile } from './sender.ts'
import styles from './send.module.css'
import { SentRow } from './sent-row.tsx'

interface SendCardProps {
  readonly hash: string
  readonly token: string | undefined
  readonly link: LinkView
  /** The senders of this visit, by link hash. They continue while the card is not shown. */
  readonly senders: Map<string, Sender>
}

/** Sends files to a link that accepts them. */
export function SendCard({ hash, token, link, senders }: SendCardProps) {
  const t = useText()
  const titleId = useId()
  // If the link also shows files, the name of the folder is the main heading.
  const Heading = link.allows === 'both' ? 'h2' : 'h1'
  const [from, setFrom] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const sender = useSender({ hash, token, senders })
  const files = useStore(sender.files)
  useLeaveWarning(sender)

  const add = (chosen: readonly File[]): void => {
    if (chosen.length === 0) return
    if (link.asksName && from.trim() === '') {
      setMissing(true)
      nameField.current?.focus()
    } else sender.add(chosen, link.asksName ? from.trim() : '')
  }
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <Heading id={titleId}>{t('public.sendTitle')}</Heading>
      <LinkText link={link} fallback={link.allows === 'upload' ? t('public.sendText') : ''} />
      {link.asksName && (
        <TextField
          ref={nameField}
          label={t('public.yourName')}
          autoComplete="name"
          maxLength={100}
          required
          value={from}
          error={isMissing && t('public.nameMissing')}
          onChange={(event) => {
            setFrom(event.currentTarget.value)
            setMissing(false)
          }}
        />
      )}
      <div
        className={styles['drop']}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          add([...event.dataTransfer.files])
        }}
      >
        <Icon name="upload" size={24} />
        <Button variant="primary" size="large" onClick={() => input.current?.click()}>
          {t('public.chooseFiles')}
        </Button>
        <span className="muted">{t('public.dropHere')}</span>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={link.types.map((type) => `.${type}`).join(',')}
          aria-label={t('public.chooseFiles')}
          onChange={({ currentTarget }) => {
            const chosen = [...(currentTarget.files ?? [])]
            currentTarget.value = ''
            add(chosen)
          }}
        />
        <Limits link={link} />
      </div>
      {files.length > 0 && (
        <ul className={styles['files']} aria-label={t('public.sentFiles')}>
          {files.map((each) => (
            <SentRow key={each.key} item={each} sender={sender} />
          ))}
        </ul>
      )}
      <CopyReceipt files={files} />
    </section>
  )
}

function useSender({ hash, token, senders }: Omit<SendCardProps, 'link'>): Sender {
  const client = useClient()
  const queries = useQueryClient()
  const { TusSettings } = useConfig()
  const [sender] = useState(() => {
    const kept = senders.get(hash)
    if (kept !== undefined) return kept
    const memory = createSendMemory(hash, localStorage, sessionStorage)
    const made = createSender({
      target: { client, hash, token, memory, ...TusSettings },
      link: () => queries.getQueryData(linkQuery(client, hash, token).queryKey),
      onDone: () => void queries.invalidateQueries({ queryKey: ['share', hash] }),
    })
    senders.set(hash, made)
    return made
  })
  useEffect(() => void sender.restore(), [sender])
  return sender
}

/** Makes the browser ask before the page is closed while files are on their way. */
function useLeaveWarning({ files }: Sender): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (files.get().some(({ state }) => state === 'waiting' || state === 'sending')) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [files])
}

/** What the link accepts. */
function Limits({ link: { types, maxFileBytes, bytesLeft, filesLeft, expire } }: Pick<SendCardProps, 'link'>) {
  const t = useText()
  const format = useFormat()
  return (
    <ShareFacts>
      {types.length > 0 && <bdi>{types.join(', ')}</bdi>}
      {maxFileBytes > 0 && <span>{t('public.upToEach', { size: format.bytes(maxFileBytes) })}</span>}
      {bytesLeft !== null && <span>{t('public.bytesLeft', { size: format.bytes(bytesLeft) })}</span>}
      {filesLeft !== null && <span>{t('public.filesLeft', { count: filesLeft })}</span>}
      <ExpiryFact expire={expire} />
    </ShareFacts>
  )
}

/** Names, sizes and checksums of all that has arrived, as text. */
function CopyReceipt({ files }: { readonly files: readonly SentFile[] }) {
  const t = useText()
  const toasts = useToasts()
  const lines = files.flatMap(({ state, receipt }) =>
    state === 'sent' && receipt !== undefined ? `${receipt.sha256 ?? ''}  ${receipt.size}  ${receipt.name}` : [],
  )
  if (lines.length === 0) return null
  const copy = async (): Promise<void> => {
    if (await copyText(lines.join('\n'))) toasts.success(t('public.receiptCopied'))
    else toasts.error(t('public.notCopied'))
  }
  return (
    <Button icon="copy" onClick={() => void copy()}>
      {t('public.copyReceipt')}
    </Button>
  )
}
