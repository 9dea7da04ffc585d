import { useText } from '../../../i18n/use-text.tsx'
import { fieldsOf, SettingsSection, type SettingsForm } from './settings-form.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listBranding, removeBranding, uploadBranding } from '../../../../../src/api/settings/branding.ts'
import type { BrandingFile } from '../../../../../src/domain/settings/branding.ts'
import { useClient, POLL_INTERVAL } from '../../../api/client.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { FilePicker } from '../../../kit/fields/inputs.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { SettingRow } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useAttempt } from '../../forms/use-report-failure.ts'
import styles from './branding-files.module.css'
import { applyBranding } from '../../../api/apply-branding.ts'

const COLOR = /^(#[0-9a-f]{3,8})?$/i

/** Name, colours and files of the installation. The page previews colours before they are saved. */
export function BrandingSection({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const fields = fieldsOf('branding', true)
  const branding = form.value?.branding
  const isChanged = form.changed.some(({ key }) => key === 'branding.color' || key === 'branding.theme')
  const color = branding?.color ?? ''
  useBrandingPreview(isChanged, COLOR.test(color) ? color : '', branding?.theme ?? '')
  return (
    <SettingsSection title={t('branding.title')} form={form} fields={fields}>
      <BrandingFiles ownFolder={branding?.files !== ''} />
    </SettingsSection>
  )
}

const PICTURES = '.svg,.png,.jpg,.jpeg,.gif,.webp,.avif,.ico'
const LOGO = 'logo.svg'
const QUERY = ['branding']

/** Logo, images and styles that administrators upload. They apply at once, without the save bar. */
function BrandingFiles({ ownFolder }: { readonly ownFolder: boolean }) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const { busy, attempt } = useAttempt()
  const { data: files } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => client.call(listBranding, { signal }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL,
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const change = async (work: () => Promise<unknown>, success: string): Promise<void> => {
    await attempt(async () => {
      await work()
      toasts.success(success)
    })
    await queries.invalidateQueries({ queryKey: QUERY })
  }
  const upload = async (chosen: readonly File[], name?: string): Promise<void> => {
    const body = new FormData()
    for (const file of chosen) body.append('file', file, name ?? file.name)
    await change(
      async () => await client.call(uploadBranding, { body }),
      t('branding.uploaded', { count: chosen.length }),
    )
  }
  const remove = async (file: BrandingFile): Promise<void> => {
    await change(
      async () => await client.call(removeBranding, { params: { name: baseName(file) } }),
      t('branding.removed', { name: baseName(file) }),
    )
  }
  return (
    <>
      <SettingRow label={t('branding.logo')} hint={ownFolder ? t('branding.ownFolder') : t('branding.logoHint')}>
        <FilePicker
          label={t('branding.uploadLogo')}
          accept=".svg"
          disabled={ownFolder}
          busy={busy}
          onChoose={(chosen) => void upload(chosen.slice(0, 1), LOGO)}
        />
      </SettingRow>
      <SettingRow label={t('branding.files')} hint={t('branding.filesHint')} wide>
        <div className={styles['files']}>
          {files !== undefined && files.length > 0 && (
            <ul aria-label={t('branding.files')}>
              {files.map((file) => (
                <FileRow key={file.name} file={file} fixed={ownFolder} onRemove={() => void remove(file)} />
              ))}
            </ul>
          )}
          <FilePicker
            label={t('branding.upload')}
            accept={`.css,${PICTURES}`}
            multiple
            disabled={ownFolder}
            busy={busy}
            onChoose={(chosen) => void upload(chosen)}
          />
        </div>
      </SettingRow>
    </>
  )
}

interface FileRowProps {
  readonly file: BrandingFile
  /** The file comes from a folder that the operator configured, so it cannot be changed here. */
  readonly fixed: boolean
  readonly onRemove: () => void
}

function FileRow({ file, fixed, onRemove }: FileRowProps) {
  const t = useText()
  const format = useFormat()
  const { StaticURL } = useConfig()
  const name = baseName(file)
  const isPicture = file.name !== 'custom.css'
  return (
    <li className={styles['file']}>
      {isPicture ? (
        <img src={`${StaticURL}/${file.name}?${encodeURIComponent(file.modified)}`} alt="" />
      ) : (
        <span aria-hidden="true" />
      )}
      <span className="clip grow">
        <bdi>{name}</bdi>
      </span>
      <span className="num subtle small">{format.bytes(file.size)}</span>
      {!fixed && <IconButton icon="trash" label={t('branding.remove', { name })} onClick={onRemove} />}
    </li>
  )
}

function baseName({ name }: BrandingFile): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Previews the edited colours, and restores the saved ones afterwards. */
function useBrandingPreview(active: boolean, color: string, theme: string): void {
  const { Color, Theme } = useConfig()
  const saved = useRef({ color: Color, theme: Theme })
  useEffect(() => {
    saved.current = { color: Color, theme: Theme }
  }, [Color, Theme])
  useEffect(() => {
    if (!active) return
    applyBranding(document, { color, theme })
    return () => applyBranding(document, saved.current)
  }, [active, color, theme])
}
