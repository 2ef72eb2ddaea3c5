//! The methods of the DevTools protocol this driver may send, and the frames they travel in.
//!
//! Methods come in three closed sets. What only looks is a [`Look`]; what can change the
//! application is an [`Act`] and needs the lease at the moment of the write; letting go of held
//! keys and buttons, and answering what the browser asks by itself, is a [`Reply`].

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

macro_rules! methods {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $method:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name { $($variant,)* }

        impl $name {
            /// Returns the protocol's name.
            pub(crate) fn name(self) -> &'static str {
                match self { $($name::$variant => $method,)* }
            }
        }
    };
}

methods! {
    /// Methods that cannot change the application.
    Look {
        GetVersion = "Browser.getVersion",
        GetHistory = "Page.getNavigationHistory",
        CaptureScreenshot = "Page.captureScreenshot",
        CallRead = "Runtime.callFunctionOn",
        DescribeNode = "DOM.describeNode",
        ResolveNode = "DOM.resolveNode",
        GetProperties = "Runtime.getProperties",
    }
}

methods! {
    /// Methods that can change the application: written only while the lease holds (I6).
    Act {
        MouseEvent = "Input.dispatchMouseEvent",
        KeyEvent = "Input.dispatchKeyEvent",
        InsertText = "Input.insertText",
        Focus = "DOM.focus",
        SetFiles = "DOM.setFileInputFiles",
        DragEvent = "Input.dispatchDragEvent",
        CallScript = "Runtime.callFunctionOn",
        Navigate = "Page.navigate",
        NavigateToEntry = "Page.navigateToHistoryEntry",
        Reload = "Page.reload",
        HandleDialog = "Page.handleJavaScriptDialog",
        CreateTarget = "Target.createTarget",
        ActivateTarget = "Target.activateTarget",
        CloseTarget = "Target.closeTarget",
    }
}

methods! {
    /// Methods that set a page up, let go, or answer what the browser asks by itself.
    Reply {
        PageEnable = "Page.enable",
        RuntimeEnable = "Runtime.enable",
        NetworkEnable = "Network.enable",
        LogEnable = "Log.enable",
        FetchEnable = "Fetch.enable",
        InspectorEnable = "Inspector.enable",
        AddScript = "Page.addScriptToEvaluateOnNewDocument",
        BeginDocument = "Runtime.callFunctionOn",
        FocusEmulation = "Emulation.setFocusEmulationEnabled",
        EmulateMedia = "Emulation.setEmulatedMedia",
        EmulateLocale = "Emulation.setLocaleOverride",
        EmulateTimezone = "Emulation.setTimezoneOverride",
        EmulateNetwork = "Network.emulateNetworkConditions",
        DeviceMetrics = "Emulation.setDeviceMetricsOverride",
        InterceptFileChooser = "Page.setInterceptFileChooserDialog",
        SetAutoAttach = "Target.setAutoAttach",
        RunIfWaiting = "Runtime.runIfWaitingForDebugger",
        ContinueRequest = "Fetch.continueRequest",
        FailRequest = "Fetch.failRequest",
        ContinueWithAuth = "Fetch.continueWithAuth",
        SetPermission = "Browser.setPermission",
        AddBinding = "Runtime.addBinding",
        StopLoading = "Page.stopLoading",
        SetDownloads = "Browser.setDownloadBehavior",
        CancelDownload = "Browser.cancelDownload",
        ReleaseMouse = "Input.dispatchMouseEvent",
        CancelDrag = "Input.cancelDragging",
        ReleaseKey = "Input.dispatchKeyEvent",
        LeaveDocument = "Page.navigate",
        Close = "Browser.close",
    }
}

/// A message to the browser.
#[derive(Debug, Serialize)]
pub(crate) struct Outgoing<'a> {
    pub(crate) id: u64,
    pub(crate) method: &'static str,
    pub(crate) params: &'a Value,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<&'a str>,
}

/// A message from the browser, lenient to fields it does not know.
#[derive(Debug, Deserialize)]
pub(crate) struct Incoming<'a> {
    #[serde(default)]
    pub(crate) id: Option<u64>,
    #[serde(default)]
    pub(crate) method: Option<std::borrow::Cow<'a, str>>,
    #[serde(default, borrow)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(crate) result: Option<&'a RawValue>,
    #[serde(default)]
    pub(crate) error: Option<Rejection>,
    #[serde(default, rename = "sessionId")]
    pub(crate) session: Option<std::borrow::Cow<'a, str>>,
}

/// The browser's no.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Rejection {
    #[serde(default)]
    pub(crate) message: String,
}

/// An event of the browser, taken in the order it was written.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(crate) method: &'a str,
    pub(crate) params: &'a RawValue,
    pub(crate) session: Option<&'a str>,
}
