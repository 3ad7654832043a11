// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Several questions in one call, at the address and by the names of Multicall3. x402 facilitators
/// and wallets ask through it.
contract LocalMulticall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 index);

    function tryAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData);
            require(results[i].success || !requireSuccess, CallFailed(i));
        }
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = _call(calls[i].target, calls[i].callData);
            require(results[i].success || calls[i].allowFailure, CallFailed(i));
        }
    }

    function _call(address target, bytes calldata data) private returns (Result memory result) {
        // solhint-disable-next-line avoid-low-level-calls
        (result.success, result.returnData) = target.call(data);
    }
}
