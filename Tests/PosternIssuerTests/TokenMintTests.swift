import PosternIssuer
import Testing
