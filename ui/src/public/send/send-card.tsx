import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LinkView } from '../../../../src/domain/shares/share-terms.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { useStore } from '../../lib/create-store.ts'
import { LinkText } from '../link-text.tsx'
import { ExpiryFact, ShareFacts } from '../share-parts.tsx'
import { linkQuery } from '../use-visit.ts'
import { NameForm, useName } from './name-form.tsx'
import { Receipts } from './receipts.tsx'
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

/** Sends files to a link that accepts them. If the link also shows files, its title and message are above the card. */
export function SendCard({ hash, token, link, senders }: SendCardProps) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** The interrupted file for which the visitor chooses. */
  const resumed = useRef<number>(undefined)
  const sender = useSender({ hash, token, senders })
  const files = useStore(sender.files)
  const name = useName(sender, link.asksName)
  useLeaveWarning(sender)

  const choose = (key?: number): void => {
    resumed.current = key
    input.current?.click()
  }
  const add = (chosen: readonly File[], key?: number): void => {
    if (chosen.length === 0) return
    name.commit()
    if (key === undefined) sender.add(chosen)
    else sender.resume(key, chosen)
  }
  const isOnlyForSending = link.allows === 'upload'
  return (
    <section className={styles['card']} data-alone={isOnlyForSending || undefined} aria-label={t('public.sendTitle')}>
      {isOnlyForSending ? (
        <LinkText title={link.title || t('public.sendTitle')} message={link.message || t('public.sendText')} />
      ) : (
        <h2>{t('public.sendTitle')}</h2>
      )}
      <Limits link={link} />
      {link.asksName && (
        <NameForm
          name={name}
          isAwaited={files.some(({ state }) => state === 'waiting')}
          onDone={() => button.current?.focus()}
        />
      )}
      <DropZone link={link} button={button} files={files} onChoose={() => choose()} onDrop={add} />
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
          add(chosen, resumed.current)
        }}
      />
      {files.length > 0 && (
        <ul className={styles['files']} aria-label={t('public.sentFiles')}>
          {files.map((each) => (
            <SentRow
              key={each.key}
              item={each}
              sender={sender}
              isNameless={name.isMissing}
              onChooseAgain={() => choose(each.key)}
            />
          ))}
        </ul>
      )}
      <Receipts files={files} />
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

/** What the link accepts. The folder beside the card already says how long the link is valid. */
function Limits({ link: { allows, types, maxFileBytes, bytesLeft, filesLeft, expire } }: Pick<SendCardProps, 'link'>) {
  const t = useText()
  const format = useFormat()
  return (
    <ShareFacts>
      {types.length > 0 && (
        <span>
          <bdi>{types.join(', ')}</bdi>
        </span>
      )}
      {maxFileBytes > 0 && <span>{t('public.upToEach', { size: format.bytes(maxFileBytes) })}</span>}
      {bytesLeft !== null && <span>{t('public.bytesLeft', { size: format.bytes(bytesLeft) })}</span>}
      {filesLeft !== null && <span>{t('public.filesLeft', { count: filesLeft })}</span>}
      {allows === 'upload' && <ExpiryFact expire={expire} />}
    </ShareFacts>
  )
}

interface DropZoneProps extends Pick<SendCardProps, 'link'> {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly files: readonly SentFile[]
  readonly onChoose: () => void
  readonly onDrop: (files: readonly File[]) => void
}

function DropZone({ link, button, files, onChoose, onDrop }: DropZoneProps) {
  const t = useText()
  const [isOver, setOver] = useState(false)
  const isDone = hasAllArrived(files)
  return (
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
        onDrop([...event.dataTransfer.files])
      }}
    >
      <div className={styles['thanks']} role="status">
        {isDone && (
          <>
            <Icon name="ok" size={24} />
            <strong>{t('public.allArrived')}</strong>
          </>
        )}
      </div>
      {link.filesLeft === 0 ? (
        !isDone && t('public.noMoreFiles')
      ) : (
        <>
          <Button
            ref={button}
            variant={files.length > 0 ? 'secondary' : 'primary'}
            size="large"
            icon="upload"
            onClick={onChoose}
          >
            {t(isDone ? 'public.sendMore' : 'public.chooseFiles')}
          </Button>
          <span className={styles['hint']}>{t('public.dropHere')}</span>
        </>
      )}
    </div>
  )
}

/** Removed files do not count. */
function hasAllArrived(files: readonly SentFile[]): boolean {
  const others = files.filter(({ state }) => state !== 'removed')
  return others.length > 0 && others.every(({ state }) => state === 'sent')
}
