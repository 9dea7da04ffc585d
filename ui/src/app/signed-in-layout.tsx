import { type ReactNode, useContext, useEffect, useState } from 'react'
import { FileActionsProvider } from '../files/actions/file-actions-context.tsx'
import { UploadsContext, useUploads } from '../files/uploads/uploads-context.tsx'
import { MainLayout } from '../shell/main-layout.tsx'
import { PaletteHost } from '../shell/palette/palette-host.tsx'
import { SessionExpiry } from '../sign-in/session-expiry.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { createStore, type Store, useStore } from '../lib/create-store.ts'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'
import { SoundContext } from '../viewer/media/sound-host.ts'
import type { SoundPlayer } from '../viewer/media/sound-player.ts'
import { useConfig } from '../api/page-config.tsx'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { Later } from '../kit/later.tsx'
import { useNavigateTo } from '../lib/navigation/navigation.tsx'
import { cacheNames, receivedPrefix } from '../worker/messages.ts'
import { createReceivedFiles } from '../worker/received.ts'

/** Layout around all screens behind the sign-in. */
export function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const uploads = useContext(UploadsContext)
  const [sound] = useState(() => createStore<SoundPlayer | undefined>(undefined))
  if (uploads === undefined) return null
  return (
    <FileActionsProvider addedEntries={uploads.addedEntries}>
      <SoundContext value={sound}>
        <MainLayout>{children}</MainLayout>
      </SoundContext>
      <Sound sound={sound} />
      <PaletteHost pick={uploads.pick} />
      <Later>
        <LiveUpdates />
        <SessionExpiry />
        <Receive />
      </Later>
    </FileActionsProvider>
  )
}

const MiniPlayer = lazyComponent(async () => (await import('../viewer/media/mini-player.tsx')).MiniPlayer)

/** What goes on playing, until the user signs out. */
function Sound({ sound }: { readonly sound: Store<SoundPlayer | undefined> }) {
  const player = useStore(sound)
  useEffect(() => () => sound.get()?.close(), [sound])
  return (
    player && (
      <LazyBoundary>
        <MiniPlayer player={player} />
      </LazyBoundary>
    )
  )
}

const ReceivePrompt = lazyPrompt(
  async () => (await import('../files/uploads/receive/receive-prompt.tsx')).ReceivePrompt,
)

/**
 * Uploads files shared from another app: the service worker stores them and opens `?received`. Asks for a folder first.
 * Renders nothing.
 */
export function Receive() {
  const { BaseURL } = useConfig()
  const ask = usePrompt()
  const uploads = useUploads()
  const navigateTo = useNavigateTo()
  useEffect(() => {
    const upload = async (): Promise<void> => {
      const scope = new URL(`${BaseURL}/`, location.href).href
      const files = await createReceivedFiles(caches, cacheNames(scope).received, receivedPrefix(scope)).take()
      if (files.length === 0) return
      const folder = await ask(ReceivePrompt, { files })
      if (folder === undefined) return
      const transfer = new DataTransfer()
      for (const file of files) transfer.items.add(file)
      uploads.addTransfer(transfer, folder)
    }
    // Once: this component is still mounted while the navigation to the files renders.
    if (!location.search.includes('received')) return
    navigateTo('/files/', { replace: true })
    void upload()
  }, [BaseURL, ask, uploads, navigateTo])
  return null
}
