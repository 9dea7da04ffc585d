import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { VIEWER_SCREENS } from '../../helpers/browser/screens/viewer-screens.ts'

checkEveryScreen(VIEWER_SCREENS)
