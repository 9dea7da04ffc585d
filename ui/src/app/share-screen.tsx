import { Suspense } from 'react'
import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'

const QrCode = lazyPart(async () => (await import('../kit/qr-code.tsx')).QrCode)

/** What a visitor sees behind a link. */
export function ShareScreen() {
  const t = useText()
  usePageTitle(t('public.title'))
  return (
    <>
      <h1>{t('public.title')}</h1>
      <Suspense>
        <QrCode text={location.href} label={t('public.title')} />
      </Suspense>
    </>
  )
}
