import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { usePageTitle } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, Button } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { MarkdownView } from '../../kit/text/markdown-view.tsx'
import type { DocumentLinks } from '../../lib/markdown/document-links.ts'
import { appHref, useLocation, useNavigation } from '../../lib/navigation/navigation.tsx'
import { CONTENTS, helpGroups, helpHref, helpPageAt, helpText } from './help-texts.ts'
import styles from './help-page.module.css'

const HelpPrompt = lazyPrompt(async () => (await import('./help-prompt.tsx')).HelpPrompt)

/** A page of the documentation, beside the list of all pages. */
export function HelpPage() {
  const t = useText()
  const { pathname } = useLocation()
  const page = helpPageAt(pathname)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  // The link to this page is gone or far away. With the focus here, keys scroll at once.
  useEffect(() => {
    if (shown.current !== page) scroller.current?.focus()
    shown.current = page
  }, [page])
  if (page === undefined) throw new ApiError({ status: 404, message: `no page ${pathname}` })
  return (
    <div className={styles['help']}>
      <Portal to="title">
        <p className={styles['title']}>{t('shell.help')}</p>
      </Portal>
      <Contents />
      <Document key={page} page={page} scroller={scroller} />
    </div>
  )
}

/** Hidden on narrow screens, where `/help` shows the same list. */
function Contents() {
  const t = useText()
  const { pathname } = useLocation()
  const ask = usePrompt()
  const groups = useMemo(() => helpGroups(), [])
  return (
    <nav className={styles['contents']} aria-label={t('help.contents')}>
      <div lang="en">
        {groups.map(({ title, pages }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {pages.map(({ title: name, href }) => (
                <li key={href}>
                  <AppLink to={href} aria-current={href === pathname ? 'page' : undefined}>
                    {name}
                  </AppLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Button variant="ghost" onClick={() => void ask(HelpPrompt, {})}>
        {t('help.title')}
        <Keys keys="?" />
      </Button>
    </nav>
  )
}

interface DocumentProps {
  readonly page: string
  readonly scroller: RefObject<HTMLDivElement | null>
}

function Document({ page, scroller }: DocumentProps) {
  const t = useText()
  const { base, history } = useNavigation()
  const { hash } = useLocation()
  const markdown = useMemo(() => helpText(page), [page])
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? ''
  usePageTitle(title)
  const [failure, setFailure] = useState<Error>()
  const [fail] = useState(() => (error: unknown) => setFailure(error as Error))
  if (failure !== undefined) throw failure
  const links = useMemo(() => linksOn(page, base), [page, base])
  const follow = (address: string): void => {
    if (address.startsWith(appHref(base, '/api/'))) location.assign(address)
    else history.push(address)
  }
  return (
    <div ref={scroller} className={styles['scroll']} role="group" aria-label={title} tabIndex={0}>
      <div className={styles['page']}>
        {page !== CONTENTS && (
          <AppLink to="/help" className={styles['back']}>
            {t('help.contents')}
          </AppLink>
        )}
        <div lang="en">
          <MarkdownView
            markdown={markdown}
            links={links}
            label={title}
            part={hash.slice(1)}
            onFollow={follow}
            onFailed={fail}
          />
        </div>
      </div>
    </div>
  )
}

function linksOn(page: string, base: string): DocumentLinks {
  return {
    picture: () => null,
    link(address) {
      if (/^(#|https?:)/.test(address)) return address
      const href = helpHref(page, address)
      return href === null ? null : appHref(base, href)
    },
  }
}
