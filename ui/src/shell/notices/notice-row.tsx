import { fullnessStep, type Notice } from '../../../../src/domain/automation/notice.ts'
import { parentOf, parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { Refusal } from '../../common/refusal.tsx'
import { rowOfJob, rowTitle } from '../../files/jobs/activity-rows.ts'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { Icon, type IconName } from '../../kit/icon/icon.tsx'
import { filesHref, lastSegment } from '../../lib/navigation/app-path.ts'
import { plainName } from '../../lib/plain-name.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { Arrivals, arrivalsText } from './arrivals-notice.ts'
import styles from './notices.module.css'

const Share = lazyPrompt(async () => (await import('../../files/share/prompts/share-prompt.tsx')).SharePrompt)

interface Shown {
  readonly icon: IconName
  readonly isUrgent?: boolean
  readonly title: string
  readonly facts: readonly string[]
  /** Leads to its place. */
  readonly follow: () => void
}

interface NoticeRowProps {
  readonly notice: Notice
  /** Closes the list first. */
  readonly onFollow: (follow: () => void) => void
}

export function NoticeRow({ notice, onFollow }: NoticeRowProps) {
  const { icon, isUrgent, title, facts, follow } = useShown(notice)
  const problem = notice.kind === 'job' ? notice.job.error : undefined
  return (
    <li>
      <button type="button" className={styles['row']} onClick={() => onFollow(follow)}>
        <span className={styles['disc']} data-urgent={isUrgent === true ? '' : undefined}>
          <Icon name={icon} />
        </span>
        <span className={styles['middle']}>
          <bdi className={styles['title']}>{title}</bdi>
          <span className={styles['facts']}>
            {facts.map((fact) => (
              <span key={fact}>
                <bdi>{fact}</bdi>
              </span>
            ))}
          </span>
        </span>
      </button>
      {problem && (
        <div className={styles['problem']}>
          <Refusal problem={problem} />
        </div>
      )}
    </li>
  )
}

function useShown(notice: Notice): Shown {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const ask = usePrompt()
  const goTo = useNavigateTo()
  const ago = (at: number) => format.relativeTime(new Date(at), now)
  const nameOf = (share: { readonly path: string }) => plainName(lastSegment(share.path)) || t('files.root')
  switch (notice.kind) {
    case 'arrivals': {
      const facts = [nameOf(notice), ago(notice.at)]
      const follow = () => void ask(Arrivals, { share: notice })
      return { icon: 'download', title: arrivalsText(t, notice), facts, follow }
    }
    case 'expiring':
    case 'usedUp': {
      const isUsedUp = notice.kind === 'usedUp'
      const path = parseVirtualPath(notice.path)
      return {
        icon: isUsedUp ? 'ban' : 'clock',
        title: t(isUsedUp ? 'notices.usedUp' : 'notices.expiring', { name: nameOf(notice) }),
        facts: [ago(isUsedUp ? notice.at : notice.expire * 1000)],
        follow: () => void ask(Share, { item: { path, isDir: notice.isDir } }),
      }
    }
    case 'shared':
      return {
        icon: 'users',
        title: t('notices.shared', { owner: notice.owner, name: notice.name }),
        facts: [ago(notice.at)],
        follow: () => goTo(filesHref(notice.isDir ? `${notice.path}/` : notice.path)),
      }
    case 'job': {
      const row = rowOfJob(notice.job)
      const folder = row.folder ?? parentOf(parseVirtualPath(notice.job.path))
      const isUrgent = row.state === 'failed'
      return {
        icon: isUrgent ? 'error' : 'ok',
        isUrgent,
        title: rowTitle(t, row),
        facts: [ago(notice.at)],
        follow: () => goTo(filesHref(folder === '/' ? folder : `${folder}/`)),
      }
    }
    case 'rootAway':
      return {
        icon: 'drive',
        isUrgent: true,
        title: t('notices.rootAway', { name: notice.name }),
        facts: [ago(notice.at)],
        follow: () => goTo('/settings/roots'),
      }
    case 'quota': {
      const { used, limit } = notice.quota
      const usage = (amount: keyof typeof used, text: (value: number) => string) =>
        limit[amount] > 0 ? [t('shell.usage', { used: text(used[amount]), total: text(limit[amount]) })] : []
      return {
        icon: 'drive',
        isUrgent: true,
        title: t(fullnessStep(notice.quota) === 100 ? 'notices.full' : 'notices.nearlyFull'),
        facts: [...usage('bytes', format.bytes), ...usage('files', format.number)],
        follow: () => goTo('/files/?storage=largest'),
      }
    }
  }
}
