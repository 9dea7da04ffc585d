import { useFormat } from '../i18n/use-format.ts'
import { RichText, useText, useTextPart } from '../i18n/use-text.tsx'
import { AppLink, buttonClass } from '../kit/button/button.tsx'
import { Banner } from '../kit/feedback/banner.tsx'

/** Reminds users who must set up a second factor. @param due 0 once the time for it is over */
export function FactorBanner({ due }: { readonly due: number }) {
  useTextPart('security')
  const t = useText()
  const format = useFormat()
  return (
    <Banner
      icon="shield"
      action={
        <AppLink to="/settings/security" className={buttonClass({ variant: 'ghost', size: 'small' })}>
          {t('security.setUp')}
        </AppLink>
      }
    >
      <RichText
        id={due === 0 ? 'security.dueOver' : 'security.due'}
        values={{ date: format.dateTime(new Date(due)) }}
        elements={[<b key="0" />]}
      />
    </Banner>
  )
}
